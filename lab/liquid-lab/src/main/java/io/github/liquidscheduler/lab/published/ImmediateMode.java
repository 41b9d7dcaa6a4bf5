package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Liquid's immediate mode (Gu et al., TPDS 33(11), 2022, figure 18): jobs are placed when they come
 * or when others end, by each of several placers, the same jobs on the same cluster. How long they
 * run is decided by {@link PlacementTimes}. Immutable.
 *
 * <p>The paper does not say when jobs came. Its driver starts a single job on an idle cluster,
 * which is {@link #alone}, or eight at once, which is {@link #atOnce}; in {@link #loaded} they come
 * at random and wait for each other.
 */
public final class ImmediateMode {

  /** The nodes of the published cluster. */
  public static final int NODES = 5;

  private static final int JOBS_AT_ONCE = 8;
  private static final int TASKS = 3;

  private final LiquidCluster cluster;
  private final LongFunction<List<Trace>> traces;
  private final int seeds;

  private ImmediateMode(LiquidCluster cluster, LongFunction<List<Trace>> traces, int seeds) {
    this.cluster = Objects.requireNonNull(cluster, "cluster");
    this.traces = traces;
    this.seeds = seeds;
    if (seeds < 1) {
      throw new IllegalArgumentException("seeds must be at least 1, but were " + seeds);
    }
  }

  /** Returns the experiment of one job of each model, each alone on an idle cluster. */
  public static ImmediateMode alone(LiquidCluster cluster, int seeds) {
    return new ImmediateMode(
        cluster,
        seed -> PlacementTimes.models().stream().map(LiquidWorkload::alone).toList(),
        seeds);
  }

  /** Returns the experiment of the driver's eight jobs, drawn at random, that come at once. */
  public static ImmediateMode atOnce(LiquidCluster cluster, int seeds) {
    return new ImmediateMode(
        cluster, seed -> List.of(LiquidWorkload.draw(JOBS_AT_ONCE, Duration.ZERO, seed)), seeds);
  }

  /**
   * Returns the experiment of jobs that come at random, independently of each other.
   *
   * @param load the GPU time that the jobs need where they run fastest, in parts of all there is
   *     while they come; more than 0 and below 1
   * @param jobs how many jobs there are; from 20, for each model to be among them, to 100,000
   * @param seeds how often the experiment is run, with other jobs and times each time
   * @throws IllegalArgumentException if a number is out of its range
   */
  public static ImmediateMode loaded(LiquidCluster cluster, double load, int jobs, int seeds) {
    if (!(load > 0 && load < 1)) {
      throw new IllegalArgumentException("a load must be more than 0 and below 1, but was " + load);
    }
    if (jobs < 20 || jobs > 100_000) {
      throw new IllegalArgumentException("jobs must be from 20 to 100000, but were " + jobs);
    }
    Duration pause = pause(cluster, load);
    return new ImmediateMode(
        cluster, seed -> List.of(LiquidWorkload.draw(jobs, pause, seed)), seeds);
  }

  /** Returns what each placer achieves: ours, Liquid's own, and those it was compared with. */
  public List<Achieved> run() {
    List<Achieved> achieved = new ArrayList<>();
    for (Subject subject : Subject.ALL) {
      achieved.add(
          new Achieved(
              subject, LongStream.range(0, seeds).mapToObj(seed -> run(subject, seed)).toList()));
    }
    return achieved;
  }

  private Map<String, Times> run(Subject subject, long seed) {
    List<JobOutcome> outcomes = new ArrayList<>();
    for (Trace trace : traces.apply(seed)) {
      outcomes.addAll(run(subject, trace, seed));
    }
    Map<String, Times> byModel = new LinkedHashMap<>();
    for (String model : PlacementTimes.models()) {
      List<JobOutcome> ofModel =
          outcomes.stream().filter(job -> LiquidWorkload.model(job.job()).equals(model)).toList();
      if (!ofModel.isEmpty()) {
        byModel.put(model, Times.of(ofModel));
      }
    }
    return byModel;
  }

  /** Returns the mean time between two jobs that makes for the load. */
  private static Duration pause(LiquidCluster cluster, double load) {
    double gpuSeconds = TASKS * LiquidWorkload.MEAN_SECONDS;
    return Duration.ofMillis(
        Math.round(1000 * gpuSeconds / (load * NODES * cluster.gpusPerNode())));
  }

  private List<JobOutcome> run(Subject subject, Trace trace, long seed) {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(cluster.topology(NODES))
            .policy(Policies.bestEffortFifo())
            .placer(subject.make(seed))
            .build();
    return LiquidWorkload.run(
        Simulation.builder(trace, scheduler),
        seed,
        job -> LiquidWorkload.submission(job, subject.workersFirst()));
  }

  /**
   * Mean times of the jobs of one model.
   *
   * @param completion seconds from submission to end
   * @param running seconds from start to end
   */
  public record Times(double completion, double running) {

    static Times of(List<JobOutcome> jobs) {
      return new Times(mean(jobs, JobOutcome::completion), mean(jobs, JobOutcome::running));
    }

    private static double mean(List<JobOutcome> jobs, Function<JobOutcome, Duration> time) {
      return jobs.stream()
          .collect(Collectors.averagingDouble(job -> time.apply(job).toMillis() / 1000.0));
    }
  }

  /**
   * What a placer achieves.
   *
   * @param subject the placer
   * @param runs for each seed the times of the models that were drawn, in the order of {@link
   *     PlacementTimes#models()}
   */
  public record Achieved(Subject subject, List<Map<String, Times>> runs) {

    /** Copies the runs. */
    public Achieved {
      runs = List.copyOf(runs);
    }

    /** Returns a time of a model over the seeds that have jobs of it, of which there is one. */
    public Spread of(String model, ToDoubleFunction<Times> time) {
      return Spread.of(
          runs.stream()
              .flatMap(run -> Stream.ofNullable(run.get(model)))
              .map(time::applyAsDouble)
              .toList());
    }

    /**
     * Returns which part of a time of {@code other} this saves: for each seed the mean over the
     * models of what is saved of the model's time.
     */
    public Spread savingOver(Achieved other, ToDoubleFunction<Times> time) {
      List<Double> savings = new ArrayList<>();
      for (int seed = 0; seed < runs.size(); seed++) {
        savings.add(saving(runs.get(seed), other.runs.get(seed), time));
      }
      return Spread.of(savings);
    }

    private static double saving(
        Map<String, Times> ours, Map<String, Times> theirs, ToDoubleFunction<Times> time) {
      double sum = 0;
      for (Map.Entry<String, Times> model : ours.entrySet()) {
        Times other = Objects.requireNonNull(theirs.get(model.getKey()), model.getKey());
        sum += 1 - time.applyAsDouble(model.getValue()) / time.applyAsDouble(other);
      }
      return sum / ours.size();
    }
  }
}
