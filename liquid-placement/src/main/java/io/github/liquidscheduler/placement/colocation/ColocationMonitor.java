package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.ColocationRecord;
import io.github.liquidscheduler.scheduling.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches what jobs that share GPUs report, lets the predictor learn from it, and finds jobs that
 * have to part.
 *
 * <p>A report counts if the job's co-runners was the same at the report before: what was measured
 * then was measured beside those who are there now. Of a job alone it says the rate alone; of a job
 * in co-runners the part of that rate which it keeps. A job that keeps clearly less than its floor
 * is parted from the opportunistic one beside it, else from whoever came last. Two jobs that
 * together do less than one after the other part too. {@link ColocationPlacer} does not bring such
 * workloads together again.
 *
 * <p>The rate alone is what was measured of jobs of the workload, on as many GPUs of the model;
 * else what the profile says; else iterations and duration of the expected work.
 *
 * <p>Deterministic: the same reports in the same order teach the same. What was learned is part of
 * the scheduler's snapshot, with what the predictor learned. Not thread-safe.
 */
public final class ColocationMonitor {

  /** By how much a part kept must have changed to be weight learning again. */
  private static final double LEAST_NEWS = 0.03;

  private static final double LEAST_RETAINED = 1e-6;

  private static final int FORGET_AFTER = 4096;

  private final ColocationCache colocations;
  private final ColocationBans bans;
  private final @Nullable InterferencePredictor predictor;
  private final double tolerance;
  private final double leastBenefit;
  private final IsolatedRates rates = new IsolatedRates();
  private final Map<JobId, Report> reports = new TreeMap<>();
  private long taken;

  private ColocationMonitor(Builder builder) {
    colocations = builder.placer.colocations();
    bans = builder.placer.bans();
    predictor = builder.predictor;
    tolerance = builder.tolerance;
    leastBenefit = builder.leastBenefit;
  }

  /** Returns a builder of a watch over the jobs that the placer brings together. */
  public static Builder builder(ColocationPlacer placer) {
    return new Builder(Objects.requireNonNull(placer, "placer"));
  }

  /**
   * What a report has shown.
   *
   * @param hasLearned whether predictions may have changed
   * @param ban who has to part, if anybody
   */
  public record Finding(boolean hasLearned, Optional<Ban> ban) {
    static final Finding NOTHING = new Finding(false, Optional.empty());
  }

  /**
   * Two jobs that have to part.
   *
   * @param leaving the jobs of which the first that may be stopped has to go, at least one
   * @param slowed the job that is slowed down
   * @param retained the part of its speed alone that it keeps, in (0, 1]
   * @param promised the part that it was to keep, in (0, 1]
   */
  public record Ban(List<JobId> leaving, JobId slowed, double retained, double promised) {
    /** Copies the list. */
    public Ban {
      leaving = List.copyOf(leaving);
    }
  }

  /** Takes in what a running job reports. */
  public Finding progressed(ClusterView view, JobId job, Progress progress) {
    Optional<JobSpec> spec = view.job(job);
    Optional<Placement> place = view.placement(job);
    double rate = progress.iterationsPerSecond();
    if (spec.isEmpty() || place.isEmpty() || !(rate > 0)) {
      return Finding.NOTHING;
    }
    forgetTheDeparted(view);
    ColocationContext scene = ColocationContext.of(view, spec.get(), place.get());
    @Nullable Report before = reports.get(job);
    @Nullable GpuModel gpu = scene.gpu();
    if (before == null || !before.coRunners.equals(scene.coRunners())) {
      reports.put(job, new Report(scene.coRunners()));
      return Finding.NOTHING;
    }
    return gpu == null ? Finding.NOTHING : judge(view, scene, gpu, before, rate);
  }

  /** Returns all that was learned, by the watch, its placer and its predictor. */
  public ColocationRecord toRecord() {
    return new ColocationRecord(
        taken,
        reports.entrySet().stream().map(e -> e.getValue().toRecord(e.getKey())).toList(),
        rates.toRecords(),
        bans.toRecords(),
        predictor == null ? List.of() : predictor.saveState());
  }

  /**
   * Forgets all that was learned, by the watch, its placer and its predictor, and knows what the
   * record holds instead.
   *
   * @throws IllegalArgumentException if the predictor did not learn what the record says of it
   */
  public void restore(ColocationRecord record) {
    if (predictor != null) {
      predictor.restoreState(record.learnedStates());
    }
    taken = record.taken();
    rates.restore(record.rates());
    bans.restore(record.bans());
    reports.clear();
    record.reports().forEach(report -> reports.put(report.job(), new Report(report)));
  }

  private Finding judge(
      ClusterView view, ColocationContext scene, GpuModel gpu, Report report, double rate) {
    JobSpec job = scene.job();
    if (scene.isAlone()) {
      rates.add(job, gpu, rate);
      return Finding.NOTHING;
    }
    OptionalDouble alone = rates.rate(job, gpu, colocations.profile(job, gpu).isolatedRate());
    if (alone.isEmpty()) {
      return Finding.NOTHING;
    }
    double measured = Math.max(LEAST_RETAINED, rate / alone.getAsDouble());
    double retained = Math.min(1, measured);
    boolean learns = Math.abs(retained - report.retained) > LEAST_NEWS || report.isNew;
    report.isNew = false;
    report.retained = retained;
    boolean learned = learns && learn(view, scene, gpu, measured);
    return new Finding(learned, ban(view, scene, gpu, retained));
  }

  /** Lets the predictor learn, if it is clear whom the slow-down comes from. */
  private boolean learn(ClusterView view, ColocationContext scene, GpuModel gpu, double retained) {
    @Nullable List<Resident> others = scene.onlyCoRunners();
    if (predictor == null || others == null) {
      return false;
    }
    List<ColocationProfile> profiles = new ArrayList<>();
    for (Resident other : others) {
      view.job(other.job()).ifPresent(spec -> profiles.add(seen(spec, gpu, other.share())));
    }
    if (profiles.size() < others.size()) {
      return false;
    }
    predictor.observe(
        new ColocationQuery(predicted(gpu), seen(scene.job(), gpu, scene.share()), profiles),
        Math.min(InterferencePredictor.MAX_RETAINED_SPEED, retained));
    return true;
  }

  private ColocationProfile seen(JobSpec job, GpuModel gpu, GpuShare share) {
    return colocations.mode(gpu).seen(colocations.profile(job, gpu), share);
  }

  private Optional<Ban> ban(
      ClusterView view, ColocationContext scene, GpuModel gpu, double retained) {
    JobSpec job = scene.job();
    if (job.sharing() instanceof Sharing.Guaranteed guaranteed
        && retained < guaranteed.floor() - tolerance) {
      for (JobId other : scene.others()) {
        view.job(other)
            .ifPresent(o -> bans.tooSlow(job.workload(), o.workload(), predicted(gpu), retained));
      }
      return Optional.of(new Ban(leaving(view, scene), job.id(), retained, guaranteed.floor()));
    }
    return benefit(view, scene, gpu, retained);
  }

  /** Parts two jobs that together do less than one after the other. */
  private Optional<Ban> benefit(
      ClusterView view, ColocationContext scene, GpuModel gpu, double retained) {
    List<JobId> others = scene.others();
    if (others.size() > 1 || scene.job().gpus() > 1) {
      return Optional.empty();
    }
    @Nullable Report other = reports.get(others.get(0));
    Optional<JobSpec> mate = view.job(others.get(0));
    if (other == null
        || other.isNew
        || mate.isEmpty()
        || !other.coRunners.equals(List.of(List.of(scene.job().id())))
        || retained + other.retained >= leastBenefit) {
      return Optional.empty();
    }
    bans.apart(scene.job().workload(), mate.get().workload(), predicted(gpu));
    return Optional.of(
        new Ban(
            leaving(view, scene),
            scene.job().id(),
            retained,
            Math.min(1, leastBenefit - other.retained)));
  }

  private GpuModel predicted(GpuModel gpu) {
    return colocations.mode(gpu).predictedAs(gpu);
  }

  /** Returns who has to go: opportunistic jobs first, then who came last; the slowed job last. */
  private static List<JobId> leaving(ClusterView view, ColocationContext scene) {
    List<JobId> present = new ArrayList<>(scene.others());
    List<JobId> byStart = view.runningJobs();
    present.sort((a, b) -> Integer.compare(byStart.indexOf(b), byStart.indexOf(a)));
    List<JobId> leaving = new ArrayList<>(present.stream().filter(j -> isFree(view, j)).toList());
    present.stream().filter(j -> !isFree(view, j)).forEach(leaving::add);
    leaving.add(scene.job().id());
    return leaving;
  }

  private static boolean isFree(ClusterView view, JobId job) {
    return view.job(job).map(spec -> spec.sharing() instanceof Sharing.Opportunistic).orElse(false);
  }

  private void forgetTheDeparted(ClusterView view) {
    if (++taken % FORGET_AFTER == 0) {
      reports.keySet().removeIf(job -> view.placement(job).isEmpty());
    }
  }

  /** The last report of a job. */
  private static final class Report {
    private final List<List<JobId>> coRunners;
    private boolean isNew = true;
    private double retained = 1;

    Report(List<List<JobId>> coRunners) {
      this.coRunners = coRunners;
    }

    Report(ColocationRecord.Report record) {
      coRunners = record.coRunners();
      isNew = record.retained().isEmpty();
      retained = record.retained().orElse(1);
    }

    ColocationRecord.Report toRecord(JobId job) {
      return new ColocationRecord.Report(
          job, coRunners, isNew ? OptionalDouble.empty() : OptionalDouble.of(retained));
    }
  }

  /** Builds a {@link ColocationMonitor}. Not thread-safe. */
  public static final class Builder {
    private final ColocationPlacer placer;
    private @Nullable InterferencePredictor predictor;
    private double tolerance = 0.02;
    private double leastBenefit = 1;

    private Builder(ColocationPlacer placer) {
      this.placer = placer;
      predictor = placer.rule() instanceof PredictedSlowdownRule rule ? rule.predictor() : null;
    }

    /**
     * Sets who learns from what was seen; by default the predictor of a {@link
     * PredictedSlowdownRule}.
     */
    public Builder predictor(InterferencePredictor predictor) {
      this.predictor = Objects.requireNonNull(predictor, "predictor");
      return this;
    }

    /**
     * Sets by how much a guaranteed job may be seen below its floor, in parts of its speed alone,
     * before it is parted from its co-runners; .02 by default.
     *
     * @throws IllegalArgumentException if it is not from 0 to 1
     */
    public Builder tolerance(double tolerance) {
      this.tolerance = require(tolerance, 1, "a tolerance");
      return this;
    }

    /**
     * Sets what two jobs must do together, in parts of their speeds alone, so that they stay
     * together; 1 by default, which is what they do one after the other. With 0 they always stay.
     *
     * @throws IllegalArgumentException if it is not from 0 to 2
     */
    public Builder leastBenefit(double benefit) {
      leastBenefit = require(benefit, 2, "the least benefit");
      return this;
    }

    /** Returns the watch. */
    public ColocationMonitor build() {
      return new ColocationMonitor(this);
    }

    private static double require(double value, double most, String what) {
      if (!(value >= 0 && value <= most)) {
        throw new IllegalArgumentException(
            what + " must be from 0 to " + most + ", but was " + value);
      }
      return value;
    }
  }
}
