package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The expected pause of a size change: a base time, plus an amount per worker after the change and
 * per gigabyte of parameters, taken from the job's all-reduce traffic. Measurements by {@link
 * io.github.liquidscheduler.scheduling.ClusterEvent.ResizeReported} correct it.
 *
 * @param base the base time, not negative
 * @param perWorker the time per worker, not negative
 * @param perGigabyte the time per 10⁹ all-reduced bytes, not negative
 */
public record ResizeCost(Duration base, Duration perWorker, Duration perGigabyte) {

  /** No pause. */
  public static final ResizeCost NONE = new ResizeCost(Duration.ZERO, Duration.ZERO, Duration.ZERO);

  /**
   * Stop-free scaling: new workers are prepared while the others train, then all pause for a
   * broadcast of the model: 2.5 s, 5 % of stopping and resuming (EDL), plus .2 s per gigabyte.
   */
  public static final ResizeCost STOP_FREE =
      new ResizeCost(Duration.ofMillis(2500), Duration.ZERO, Duration.ofMillis(200));

  /**
   * Stop and resume: 33.5 s plus 7 s per worker, the line through the measured 41, 47, 54 and 62 s
   * for 1 to 4 workers (EDL).
   */
  public static final ResizeCost STOP_RESUME =
      new ResizeCost(Duration.ofMillis(33_500), Duration.ofSeconds(7), Duration.ZERO);

  private static final double GIGABYTE = 1e9;

  /**
   * Validates the parts.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public ResizeCost {
    if (base.isNegative() || perWorker.isNegative() || perGigabyte.isNegative()) {
      throw new IllegalArgumentException(
          "no part of the cost of a change of size must be negative, but were %s, %s and %s"
              .formatted(base, perWorker, perGigabyte));
    }
  }

  /** Returns the expected pause of a job that will have {@code workers} workers. */
  public Duration pause(JobSpec job, int workers) {
    double gigabytes =
        job.communication() instanceof Communication.AllReduce sends
            ? sends.bytesPerIteration() / GIGABYTE
            : 0;
    return GpuTime.sum(
        GpuTime.sum(GpuTime.times(base, 1), GpuTime.times(perWorker, workers)),
        gigabytes > 0 ? GpuTime.divided(perGigabyte, 1 / gigabytes) : Duration.ZERO);
  }

  /** Returns the parts by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("base", base.toString());
    parameters.put("perWorker", perWorker.toString());
    parameters.put("perGigabyte", perGigabyte.toString());
    return parameters;
  }
}
