package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Jobs that read data sets, and the cluster on which they run.
 *
 * @param cluster the cluster
 * @param path what all nodes together get from the storage
 * @param processes how long a job takes to start its processes
 * @param jobs the jobs in the order in which they come
 */
public record ReadingLoad(
    ClusterTopology cluster, Bandwidth path, Duration processes, List<Arrival> jobs) {
  private static final int NODES = 5;
  private static final int DATA_SETS = 20;
  static final Duration PROCESSES = Duration.ofSeconds(5);
  private static final double MEDIAN_RUN = 600;
  private static final double SPREAD_OF_RUNS = 1;
  private static final double MEAN_GPUS = (1 + 2 + 4) / 3.0;
  private static final Memory DISK = Memory.ofGib(100);
  static final Bandwidth PATH = Bandwidth.ofGigabitsPerSecond(10);

  /** Copies the jobs. */
  public ReadingLoad {
    jobs = List.copyOf(jobs);
  }

  /**
   * A job that comes.
   *
   * @param at when, after the first
   * @param job the job as the scheduler is told
   * @param length how long it trains in truth
   */
  public record Arrival(Duration at, JobSpec job, Duration length) {}

  /**
   * Returns a load on Liquid's cluster, of five nodes of four GPUs.
   *
   * @param load the GPU time that jobs need, without launches, in parts of all there is
   * @param error the standard deviation of the logarithm of expected over true run times
   * @param jobs how many jobs there are
   * @param seed what all draws start from
   */
  public static ReadingLoad liquid(double load, double error, int jobs, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double gpus = (double) NODES * LiquidCluster.K80.gpusPerNode();
    double meanRun = MEDIAN_RUN * Math.exp(SPREAD_OF_RUNS * SPREAD_OF_RUNS / 2);
    double pause = MEAN_GPUS * meanRun / (load * gpus);
    double at = 0;
    List<Arrival> arrivals = new ArrayList<>();
    for (int number = 0; number < jobs; number++) {
      at -= Math.log(1 - random.nextDouble()) * pause;
      double seconds = MEDIAN_RUN * Math.exp(SPREAD_OF_RUNS * random.nextGaussian());
      double told = seconds * Math.exp(error * random.nextGaussian());
      JobSpec job =
          JobSpec.builder("job-" + number)
              .gpus(1 << random.nextInt(3))
              .dataset(dataset(random.nextInt(DATA_SETS)))
              .expectedWork(ExpectedWork.ofDuration(of(told)))
              .build();
      arrivals.add(new Arrival(of(at), job, of(seconds)));
    }
    return new ReadingLoad(withDisks(), PATH, PROCESSES, arrivals);
  }

  /**
   * Returns a load of jobs that stand in a row in a trace, on 16 nodes of 8 GPUs: their GPUs, run
   * times and virtual clusters, whose data sets are drawn. They arrive at random.
   *
   * @param trace the jobs; those of more GPUs than there are, or of unknown run time, do not come
   * @param load the GPU time that jobs need, without launches, in parts of all there is
   * @param error the standard deviation of the logarithm of expected over true run times
   * @param jobs how many jobs there are
   * @param seed what all draws start from
   * @throws IllegalArgumentException if the trace has fewer jobs
   */
  public static ReadingLoad traced(
      List<TraceJob> trace, double load, double error, int jobs, long seed) {
    return TracedReading.of(trace, load, error, jobs, seed);
  }

  private static ClusterTopology withDisks() {
    ClusterTopology cluster = LiquidCluster.K80.topology(NODES);
    return cluster.withNodes(
        cluster.nodes().stream().map(node -> node.toBuilder().disk(DISK).build()).toList());
  }

  private static Dataset dataset(int number) {
    return new Dataset("data-" + number, Memory.ofGib(2 + number));
  }

  static Duration of(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }
}
