package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.lab.baseline.BaselinePlacers;
import io.github.liquidscheduler.lab.baseline.grouping.BaselinePlanners;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.PlanningLoop;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Liquid's batch mode (Gu et al., TPDS 33(11), 2022, figure 19): eight jobs for each five nodes of
 * two T4, all submitted at once. Ours and Liquid's genetic algorithm gather jobs for {@link
 * #WINDOW} and plan them together; the others place each job as it comes, or when others end. How
 * long jobs run is decided by {@link PlacementTimes}. Immutable.
 */
public final class BatchMode {

  /** How long jobs are gathered, as in the published runs. */
  public static final Duration WINDOW = Duration.ofSeconds(5);

  /** The sizes of the published experiment, in nodes. */
  public static final List<Integer> NODES = List.of(5, 10, 15, 20);

  private static final int NODES_OF_A_BATCH = 5;
  private static final long STEPS = 20_000;

  /** The published run times know nothing of other jobs on the same links. */
  private static final PlanCost COST = PlanCost.physical().withLinksOfTheirOwn();

  private final int nodes;
  private final int seeds;

  private BatchMode(int nodes, int seeds) {
    this.nodes = nodes;
    this.seeds = seeds;
  }

  /**
   * Returns the experiment on so many nodes.
   *
   * @param seeds how often it is run, with other run times (95 to 99 % of the published) each time
   * @throws IllegalArgumentException if {@code nodes} is none of {@link #NODES}, or {@code seeds}
   *     is less than 1
   */
  public static BatchMode on(int nodes, int seeds) {
    if (!NODES.contains(nodes) || seeds < 1) {
      throw new IllegalArgumentException(
          "a batch must run on one of %s nodes at least once, but was to on %d, %s"
              .formatted(NODES, nodes, Count.of(seeds, "time")));
    }
    return new BatchMode(nodes, seeds);
  }

  /** Returns what each way to place the jobs achieves: ours, Liquid's two, then the others. */
  public List<Achieved> run() {
    List<Achieved> achieved = new ArrayList<>();
    achieved.add(planned("timefold", "least-cost", ""));
    achieved.add(planned("gga", "liquid", "Liquid"));
    for (Subject subject : Subject.ALL) {
      achieved.add(
          new Achieved(
              subject.placer(),
              subject.column(),
              runs(seed -> immediate(subject, seed), subject.workersFirst())));
    }
    return achieved;
  }

  /** Returns the mean of a figure over those that the paper compared Liquid with. */
  public static double compared(List<Achieved> achieved, ToDoubleFunction<Achieved> figure) {
    return achieved.stream()
        .filter(row -> Figure19.COMPARED.contains(row.column()))
        .collect(Collectors.averagingDouble(figure));
  }

  /**
   * Returns a time in seconds that no makespan of these jobs can be below: what the longest of them
   * takes alone where it runs fastest, with the luck of its run, as the mean over the seeds.
   */
  public double leastMakespan() {
    return LongStream.range(0, seeds)
        .mapToDouble(seed -> leastSeconds(seed).max().orElseThrow())
        .average()
        .orElseThrow();
  }

  /**
   * Returns a time in seconds that no mean completion time of these jobs can be below: the mean of
   * what they take alone where they run fastest, without any waiting, over the seeds.
   */
  public double leastCompletion() {
    return LongStream.range(0, seeds)
        .mapToDouble(seed -> leastSeconds(seed).average().orElseThrow())
        .average()
        .orElseThrow();
  }

  private DoubleStream leastSeconds(long seed) {
    PlacementTimes times = PlacementTimes.published(seed);
    return trace().jobs().stream()
        .mapToDouble(job -> times.work(job).toMillis() / 1000.0 * slowDown(job));
  }

  /** Returns how much longer a job runs on nodes of two GPUs than with all its tasks together. */
  private static double slowDown(TraceJob job) {
    String model = LiquidWorkload.model(job);
    double least =
        Stream.of(
                PlacementShape.ONE_WORKER_APART,
                PlacementShape.ALL_APART,
                PlacementShape.SERVER_APART)
            .mapToDouble(shape -> PlacementTimes.publishedSeconds(model, shape))
            .min()
            .orElseThrow();
    return least / PlacementTimes.publishedSeconds(model, PlacementShape.TOGETHER);
  }

  private Achieved planned(String planner, String placer, String column) {
    return new Achieved(planner, column, runs(seed -> batch(planner, placer, seed), false));
  }

  private List<Times> runs(LongFunction<Simulation.Builder> way, boolean workersFirst) {
    return LongStream.range(0, seeds)
        .mapToObj(
            seed ->
                Times.of(
                    LiquidWorkload.run(
                        way.apply(seed),
                        seed,
                        job -> LiquidWorkload.submission(job, workersFirst))))
        .toList();
  }

  private Simulation.Builder immediate(Subject subject, long seed) {
    return Simulation.builder(trace(), scheduler(subject.placer(), seed).build());
  }

  private Simulation.Builder batch(String planner, String placer, long seed) {
    PlanOptions options = PlanOptions.builder().seed(seed).steps(STEPS).build();
    LiquidScheduler scheduler = scheduler(placer, seed).batch(BatchWindow.of(WINDOW)).build();
    return Simulation.builder(trace(), scheduler)
        .planning(new PlanningLoop(BaselinePlanners.named(planner, COST), options, Duration.ZERO));
  }

  private LiquidScheduler.Builder scheduler(String placer, long seed) {
    return LiquidScheduler.builder(LiquidCluster.T4.topology(nodes))
        .policy(Policies.bestEffortFifo())
        .placer(BaselinePlacers.named(placer, seed));
  }

  private Trace trace() {
    return LiquidWorkload.batch(nodes / NODES_OF_A_BATCH);
  }

  /**
   * What one run gave.
   *
   * @param completion mean seconds from submission to end
   * @param makespan seconds from the first start to the last end
   * @param running mean seconds from start to end
   */
  public record Times(double completion, double makespan, double running) {

    static Times of(List<JobOutcome> jobs) {
      double last = jobs.stream().mapToDouble(job -> seconds(job.end())).max().orElseThrow();
      double first =
          jobs.stream().mapToDouble(job -> seconds(job.firstStart())).min().orElseThrow();
      return new Times(
          jobs.stream().collect(Collectors.averagingDouble(job -> seconds(job.completion()))),
          last - first,
          jobs.stream().collect(Collectors.averagingDouble(job -> seconds(job.running()))));
    }

    private static double seconds(Duration time) {
      return time.toMillis() / 1000.0;
    }
  }

  /**
   * What a way to place jobs achieves.
   *
   * @param name the planner or placer
   * @param column the column of the published figure it stands for; empty if there is none
   * @param runs what each seed gave
   */
  public record Achieved(String name, String column, List<Times> runs) {
    /** Copies the runs. */
    public Achieved {
      runs = List.copyOf(runs);
    }

    /** Returns the mean completion time over the seeds. */
    public Spread completion() {
      return Spread.of(runs.stream().map(Times::completion).toList());
    }

    /** Returns the makespan over the seeds. */
    public Spread makespan() {
      return Spread.of(runs.stream().map(Times::makespan).toList());
    }

    /** Returns the mean running time over the seeds. */
    public Spread running() {
      return Spread.of(runs.stream().map(Times::running).toList());
    }
  }
}
