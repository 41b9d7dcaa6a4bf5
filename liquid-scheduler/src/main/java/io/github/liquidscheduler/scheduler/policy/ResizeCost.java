package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * For how long a job stands still when its size changes, as long as nobody has measured it: a time,
 * and more for each worker that it will have and each gigabyte of parameters, of which what an
 * all-reduce sends tells. What {@link
 * io.github.liquidscheduler.scheduling.ClusterEvent.ResizeReported} measures corrects it.
 *
 * @param base the time without any worker, not negative
 * @param perWorker how much longer for each worker, not negative
 * @param perGigabyte how much longer for each 10⁹ bytes that are all-reduced, not negative
 */
public record ResizeCost(Duration base, Duration perWorker, Duration perGigabyte) {

  /** A change of size costs nothing. */
  public static final ResizeCost NONE = new ResizeCost(Duration.ZERO, Duration.ZERO, Duration.ZERO);

  /**
   * New workers are prepared while the others train, who then stand still for a broadcast of the
   * model: 2.5 s, which is 5 % of stopping and resuming (EDL), and .2 s for each gigabyte.
   */
  public static final ResizeCost STOP_FREE =
      new ResizeCost(Duration.ofMillis(2500), Duration.ZERO, Duration.ofMillis(200));

  /**
   * The job is stopped and resumed: 33.5 s and 7 s for each worker, which is the line through the
   * 41, 47, 54 and 62 s that were measured with 1 to 4 of them (EDL).
   */
  public static final ResizeCost STOP_RESUME =
      new ResizeCost(Duration.ofMillis(33_500), Duration.ofSeconds(7), Duration.ZERO);

  private static final double GIGABYTE = 1e9;

  /**
   * Checks the parts.
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

  /** Returns for how long a job stands still that will have so many workers. */
  public Duration pause(JobSpec job, int workers) {
    double gigabytes =
        job.communication() instanceof Communication.AllReduce sends
            ? sends.bytesPerIteration() / GIGABYTE
            : 0;
    return GpuTime.sum(
        GpuTime.sum(base, GpuTime.times(perWorker, workers)),
        gigabytes > 0 ? GpuTime.divided(perGigabyte, 1 / gigabytes) : Duration.ZERO);
  }

  static ResizeCost from(Map<String, String> parameters) {
    return new ResizeCost(
        Duration.parse(parameters.getOrDefault("base", "")),
        Duration.parse(parameters.getOrDefault("perWorker", "")),
        Duration.parse(parameters.getOrDefault("perGigabyte", "")));
  }

  /** Returns what decides, by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("base", base.toString());
    parameters.put("perWorker", perWorker.toString());
    parameters.put("perGigabyte", perGigabyte.toString());
    return parameters;
  }
}
