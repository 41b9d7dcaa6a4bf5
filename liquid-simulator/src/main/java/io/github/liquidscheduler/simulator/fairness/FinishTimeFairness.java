package io.github.liquidscheduler.simulator.fairness;

import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Finish-time fairness of jobs: a job's completion time divided by what it would have been on an
 * equal part of the cluster, rho of Themis (Mahajan et al., NSDI 2020, section 3). That is its time
 * on GPUs times the contention while it was there, as Shockwave estimates it (Zheng et al., NSDI
 * 2023, section 2): the GPUs that all jobs present want, of those there are, at least 1.
 *
 * <p>A job at 1 did as well as on its part; above 1 it did worse.
 *
 * @param average the mean over the jobs
 * @param worst the largest
 * @param aboveOne the part of the jobs above 1, from 0 to 1
 */
public record FinishTimeFairness(double average, double worst, double aboveOne) {

  private static final double ROUNDING = 1e-9;

  /**
   * Returns that of the finished jobs of a run. Only these count for the contention.
   *
   * @param gpus the GPUs of the cluster, at least 1
   * @throws IllegalArgumentException if there is no job
   */
  public static FinishTimeFairness of(Collection<JobOutcome> outcomes, int gpus) {
    List<JobOutcome> jobs = outcomes.stream().filter(job -> !job.running().isZero()).toList();
    if (jobs.isEmpty()) {
      throw new IllegalArgumentException("fairness needs a job that ran, but there is none");
    }
    Map<Double, Double> contended = contended(jobs, gpus);
    double[] ratios = jobs.stream().mapToDouble(job -> ratio(job, contended)).toArray();
    return new FinishTimeFairness(
        Arrays.stream(ratios).average().orElse(1),
        Arrays.stream(ratios).max().orElse(1),
        (double) Arrays.stream(ratios).filter(ratio -> ratio > 1 + ROUNDING).count()
            / ratios.length);
  }

  /** Returns the integral of the contention up to each time of a change, by seconds. */
  private static Map<Double, Double> contended(List<JobOutcome> jobs, int gpus) {
    NavigableMap<Double, Integer> changes = new TreeMap<>();
    for (JobOutcome job : jobs) {
      changes.merge(seconds(job.job().submit()), job.job().gpus(), Integer::sum);
      changes.merge(seconds(job.end()), -job.job().gpus(), Integer::sum);
    }
    Map<Double, Double> contended = new HashMap<>();
    double last = changes.firstKey();
    double sum = 0;
    long wanted = 0;
    for (Map.Entry<Double, Integer> change : changes.entrySet()) {
      sum += (change.getKey() - last) * Math.max(1, (double) wanted / gpus);
      contended.put(change.getKey(), sum);
      last = change.getKey();
      wanted += change.getValue();
    }
    return contended;
  }

  private static double ratio(JobOutcome job, Map<Double, Double> contended) {
    double present = seconds(job.completion());
    double until = contended.getOrDefault(seconds(job.end()), 0.0);
    double since = contended.getOrDefault(seconds(job.job().submit()), 0.0);
    return present / (seconds(job.running()) * (until - since) / present);
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }
}
