package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The known facts of one job that shares a GPU: what it computes and how hard it works the GPU when
 * alone. Numbers that nobody knows are {@link Double#NaN}.
 *
 * @param isolatedRate iterations per second alone on this GPU model
 * @param utilization mean GPU utilisation alone, from 0 to 1
 * @param memoryBandwidthUtilization mean use of the memory bandwidth alone, from 0 to 1
 * @param memoryBytes largest device memory held
 */
public record ColocationProfile(
    Workload workload,
    double isolatedRate,
    double utilization,
    double memoryBandwidthUtilization,
    double memoryBytes) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if a known number is negative or a utilisation above 1
   */
  public ColocationProfile {
    Objects.requireNonNull(workload, "workload");
    if (isolatedRate < 0
        || memoryBytes < 0
        || utilization < 0
        || utilization > 1
        || memoryBandwidthUtilization < 0
        || memoryBandwidthUtilization > 1) {
      throw new IllegalArgumentException(
          "rates must not be negative and utilisations be from 0 to 1, but were %s, %s, %s, %s"
              .formatted(isolatedRate, utilization, memoryBandwidthUtilization, memoryBytes));
    }
  }

  /** Returns the profile of a workload of which nothing was measured. */
  public static ColocationProfile of(Workload workload) {
    return new ColocationProfile(workload, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  /** Returns a job's stated profile: its workload, and the device memory of its first role. */
  public static ColocationProfile of(JobSpec job) {
    double memory =
        job.roles().get(0).request().gpuMemory().map(m -> (double) m.bytes()).orElse(Double.NaN);
    return new ColocationProfile(job.workload(), Double.NaN, Double.NaN, Double.NaN, memory);
  }

  // These two are asked very often, and by a JVM that has just started too.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ColocationProfile that
            && workload.equals(that.workload)
            && Double.compare(isolatedRate, that.isolatedRate) == 0
            && Double.compare(utilization, that.utilization) == 0
            && Double.compare(memoryBandwidthUtilization, that.memoryBandwidthUtilization) == 0
            && Double.compare(memoryBytes, that.memoryBytes) == 0);
  }

  @Override
  public int hashCode() {
    int known = 31 * workload.hashCode() + Double.hashCode(isolatedRate);
    int load = 31 * Double.hashCode(utilization) + Double.hashCode(memoryBandwidthUtilization);
    return 31 * (31 * known + load) + Double.hashCode(memoryBytes);
  }
}
