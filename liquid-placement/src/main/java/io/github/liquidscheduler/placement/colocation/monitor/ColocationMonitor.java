package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationRecord.Report;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a rate counts only if the co-runners did not change since the last report, so that it was
 * measured beside them for the whole time; divided by the isolated rate it is the retained speed,
 * which teaches the predictor and is compared with the promise.
 * Invariants: stateless, all effects go to ColocationState and can be rolled back with the turn;
 * only unambiguous slowdowns are learned (one resident set on all shared GPUs); small changes are
 * no news.
 * Cost: O(GPUs of the job x residents), plus one observe of the predictor; sorting co-runners by
 * start O(running jobs) only for a violation with several (ColocationMonitorTest).
 * Source: IASP/IAPP for retained speed and floors.
 */
/**
 * Evaluates reports of jobs that share GPUs: feeds the predictor, and finds jobs to be separated.
 *
 * <p>A report counts if the job's co-runners were the same at the report before: its rate was then
 * measured beside the current ones. A job alone shows its isolated rate; a job with co-runners
 * shows its retained speed. A guaranteed job that retains clearly less than its floor is separated
 * from the opportunistic co-runner, else from the latest one. Two jobs whose retained speeds add up
 * to too little are separated too. Such workloads are banned from each other.
 *
 * <p>The isolated rate is that measured of the workload on the same number of GPUs of the model;
 * else that of the profile; else iterations over duration of the expected work.
 *
 * <p>Stateless: all learned state is in a {@link ColocationState}. Deterministic in the order of
 * the reports.
 */
public record ColocationMonitor(Colocation colocation) {

  /** The least change of a retained speed to be learned again. */
  private static final double LEAST_NEWS = 0.03;

  private static final double LEAST_RETAINED = 1e-6;

  /**
   * The result of a report.
   *
   * @param learnedOf the workloads measured beside each other if predictions may have changed; else
   *     empty
   * @param violation the jobs to be separated, if any
   */
  public record Result(List<Workload> learnedOf, Optional<Violation> violation) {
    static final Result NOTHING = new Result(List.of(), Optional.empty());

    /** Copies the list. */
    public Result {
      learnedOf = List.copyOf(learnedOf);
    }
  }

  /**
   * Jobs that slow each other down too much.
   *
   * @param leaving the jobs of which the first preemptible one has to leave; at least one
   * @param retained its retained speed, in (0, 1]
   * @param promised its promised retained speed, in (0, 1]
   */
  public record Violation(List<JobId> leaving, JobId slowed, double retained, double promised) {
    /** Copies the list. */
    public Violation {
      leaving = List.copyOf(leaving);
    }
  }

  /**
   * Evaluates the report of a running job.
   *
   * @param state the observations so far; updated
   */
  public Result progressed(ColocationState state, ClusterView view, JobId job, Progress progress) {
    Optional<JobSpec> spec = view.job(job);
    Optional<Placement> place = view.placement(job);
    double rate = progress.iterationsPerSecond();
    if (spec.isEmpty() || place.isEmpty() || !(rate > 0)) {
      return Result.NOTHING;
    }
    state.count(view);
    ColocationContext context = ColocationContext.of(view, spec.get(), place.get());
    @Nullable Report before = state.report(job);
    if (before == null || !before.coRunners().equals(context.coRunners())) {
      state.report(new Report(job, context.coRunners(), OptionalDouble.empty()));
      return Result.NOTHING;
    }
    @Nullable GpuModel gpu = context.gpu();
    return gpu == null
        ? Result.NOTHING
        : new Comparison(state, view, context, gpu).of(before, rate);
  }

  /** The comparison of a report with the prediction, for a job whose co-runners are unchanged. */
  private final class Comparison {
    private final ColocationState state;
    private final ClusterView view;
    private final ColocationContext context;
    private final JobSpec job;
    private final GpuModel gpu;
    private final GpuModel predicted;

    Comparison(ColocationState state, ClusterView view, ColocationContext context, GpuModel gpu) {
      this.state = state;
      this.view = view;
      this.context = context;
      this.gpu = gpu;
      job = context.job();
      predicted = colocation.mode(gpu).predictedAs(gpu);
    }

    Result of(Report before, double rate) {
      if (context.isAlone()) {
        state.ranAlone(job, gpu, rate);
        return Result.NOTHING;
      }
      double stated = colocation.profile(job, gpu).isolatedRate();
      OptionalDouble alone = state.rates().rate(job, gpu, stated);
      if (alone.isEmpty()) {
        return Result.NOTHING;
      }
      double measured = Math.max(LEAST_RETAINED, rate / alone.getAsDouble());
      double retained = Math.min(1, measured);
      state.report(new Report(job.id(), context.coRunners(), OptionalDouble.of(retained)));
      boolean isNews = Math.abs(retained - before.retained().orElse(1)) > LEAST_NEWS;
      List<Workload> learnedOf =
          isNews || before.retained().isEmpty() ? learn(measured) : List.of();
      return new Result(learnedOf, violation(retained));
    }

    /** Feeds the predictor, if the slowdown can be attributed to one resident set. */
    private List<Workload> learn(double retained) {
      @Nullable InterferencePredictor predictor = colocation.predictor().orElse(null);
      @Nullable List<Resident> others = context.onlyCoRunners();
      if (predictor == null || others == null) {
        return List.of();
      }
      List<ColocationProfile> profiles = new ArrayList<>();
      for (Resident other : others) {
        view.job(other.job()).ifPresent(spec -> profiles.add(seen(spec, other.share())));
      }
      if (profiles.size() < others.size()) {
        return List.of();
      }
      state.learn(
          predictor.observe(
              state.observations().interference(),
              new ColocationQuery(predicted, seen(job, context.share()), profiles),
              Math.min(InterferencePredictor.MAX_RETAINED_SPEED, retained)));
      return Stream.concat(
              Stream.of(job.workload()), profiles.stream().map(ColocationProfile::workload))
          .distinct()
          .toList();
    }

    private ColocationProfile seen(JobSpec spec, GpuShare share) {
      return colocation.mode(gpu).seen(colocation.profile(spec, gpu), share);
    }

    private Optional<Violation> violation(double retained) {
      if (job.sharing() instanceof Sharing.Guaranteed guaranteed
          && retained < guaranteed.floor() - colocation.tolerance()) {
        for (JobId other : context.others()) {
          view.job(other)
              .ifPresent(
                  spec ->
                      state.ban(
                          state
                              .bans()
                              .tooSlow(job.workload(), spec.workload(), predicted, retained)));
        }
        return Optional.of(new Violation(leaving(), job.id(), retained, guaranteed.floor()));
      }
      return tooLittleBenefit(retained);
    }

    /** Separates two jobs that together achieve less than one after the other. */
    private Optional<Violation> tooLittleBenefit(double retained) {
      List<JobId> others = context.others();
      if (others.size() > 1 || job.gpus() > 1) {
        return Optional.empty();
      }
      @Nullable Report other = state.report(others.get(0));
      Optional<JobSpec> coRunner = view.job(others.get(0));
      if (other == null
          || other.retained().isEmpty()
          || coRunner.isEmpty()
          || !other.coRunners().equals(List.of(List.of(job.id())))
          || retained + other.retained().getAsDouble() >= colocation.leastBenefit()) {
        return Optional.empty();
      }
      state.ban(state.bans().apart(job.workload(), coRunner.get().workload(), predicted));
      double promised = Math.min(1, colocation.leastBenefit() - other.retained().getAsDouble());
      return Optional.of(new Violation(leaving(), job.id(), retained, promised));
    }

    /**
     * Returns the jobs that may have to leave: opportunistic ones first, then the latest; the job
     * itself last.
     */
    private List<JobId> leaving() {
      List<JobId> present = new ArrayList<>(context.others());
      if (present.size() > 1) {
        List<JobId> byStart = view.runningJobs();
        present.sort((a, b) -> Integer.compare(byStart.indexOf(b), byStart.indexOf(a)));
      }
      List<JobId> leaving =
          new ArrayList<>(present.stream().filter(this::isOpportunistic).toList());
      present.stream().filter(other -> !isOpportunistic(other)).forEach(leaving::add);
      leaving.add(job.id());
      return leaving;
    }

    private boolean isOpportunistic(JobId other) {
      return view.job(other)
          .map(spec -> spec.sharing() instanceof Sharing.Opportunistic)
          .orElse(false);
    }
  }
}
