package io.github.liquidscheduler.simulator.fairness;

import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

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
    Contention contention = Contention.of(jobs, gpus);
    double[] ratios = jobs.stream().mapToDouble(contention::ratio).toArray();
    return new FinishTimeFairness(
        Arrays.stream(ratios).average().orElse(1),
        Arrays.stream(ratios).max().orElse(1),
        (double) Arrays.stream(ratios).filter(ratio -> ratio > 1 + ROUNDING).count()
            / ratios.length);
  }

  /** The contention over time as a step function, summed up from the start. */
  private static final class Contention {

    /** The times of its changes, ascending, in seconds. */
    private final double[] times;

    /** Its integral up to each of these times. */
    private final double[] sums;

    private Contention(double[] times, double[] sums) {
      this.times = times;
      this.sums = sums;
    }

    static Contention of(List<JobOutcome> jobs, int gpus) {
      double[] times =
          jobs.stream()
              .flatMap(job -> List.of(job.job().submit(), job.end()).stream())
              .mapToDouble(FinishTimeFairness::seconds)
              .sorted()
              .distinct()
              .toArray();
      long[] changes = new long[times.length];
      for (JobOutcome job : jobs) {
        changes[at(times, job.job().submit())] += job.job().gpus();
        changes[at(times, job.end())] -= job.job().gpus();
      }
      double[] sums = new double[times.length];
      long wanted = 0;
      for (int i = 1; i < times.length; i++) {
        wanted += changes[i - 1];
        sums[i] = sums[i - 1] + (times[i] - times[i - 1]) * Math.max(1, (double) wanted / gpus);
      }
      return new Contention(times, sums);
    }

    private static int at(double[] times, Duration time) {
      return Arrays.binarySearch(times, seconds(time));
    }

    double ratio(JobOutcome job) {
      double present = seconds(job.completion());
      double contended = sums[at(times, job.end())] - sums[at(times, job.job().submit())];
      return present / (seconds(job.running()) * contended / present);
    }
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }
}
