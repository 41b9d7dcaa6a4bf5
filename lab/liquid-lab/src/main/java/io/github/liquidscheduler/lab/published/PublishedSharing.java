package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;

/**
 * What Liquid's paper says of sharing GPUs: total times of jobs of one kind alone on GPUs, and with
 * two on each. The mixed runs are left out, since it does not say what was mixed.
 *
 * @param cluster the nodes
 * @param model what is trained
 * @param jobs how many jobs
 * @param exclusiveMinutes total time without sharing
 * @param sharedMinutes total time with sharing
 */
public record PublishedSharing(
    LiquidCluster cluster, String model, int jobs, int exclusiveMinutes, int sharedMinutes) {

  /** The mean of all published savings, the mixed runs too. */
  public static final double MEAN_SAVING = 0.4;

  /** Returns what was published, of jobs of one kind. */
  public static List<PublishedSharing> all() {
    return List.of(
        new PublishedSharing(LiquidCluster.K80, "CNN-MNIST", 8, 42, 26),
        new PublishedSharing(LiquidCluster.T4, "CNN-MNIST", 8, 30, 18),
        new PublishedSharing(LiquidCluster.K80, "NeuMF", 4, 192, 128),
        new PublishedSharing(LiquidCluster.T4, "NeuMF", 4, 159, 94));
  }

  /** Returns the published part of the total time that was saved. */
  public double saving() {
    return 1 - (double) sharedMinutes / exclusiveMinutes;
  }

  /** Returns the speed that a job retains beside another, if two are always on a GPU. */
  public double impliedRetainedSpeed() {
    return exclusiveMinutes / (2.0 * sharedMinutes);
  }

  /** Returns how long one job takes alone, if all take equally long. */
  public Duration length() {
    return Duration.ofMinutes(exclusiveMinutes).dividedBy(jobs);
  }

  /**
   * Returns the experiment on so many GPUs, with as many jobs for each as were published.
   *
   * @param retained the speed that a job retains beside another, in (0, 1.05]
   */
  public GpuSharing on(int gpus, double retained) {
    TraceJob job = TraceJob.builder(model).model(model).gpus(1).duration(length()).build();
    return new GpuSharing(cluster.part(gpus), job, gpus * jobs, GpuSharing.retaining(retained));
  }
}
