package io.github.liquidscheduler.rounds;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The expected computing time of a job's task by GPU model; unknown models are left out.
 *
 * @param seconds the seconds, positive and finite, in the order of the models' names
 */
public record ComputeTimes(Map<GpuModel, Double> seconds) {

  /** Nothing is known. */
  public static final ComputeTimes UNKNOWN = new ComputeTimes(new TreeMap<>());

  /**
   * Checks and copies the times.
   *
   * @throws IllegalArgumentException if one is not positive and finite
   */
  public ComputeTimes {
    seconds = Collections.unmodifiableMap(new TreeMap<>(seconds));
    seconds.forEach(ComputeTimes::requirePositive);
  }

  /**
   * Returns the times that {@code predictor} expects for one mini-batch of the job on one GPU of
   * each model.
   *
   * @throws IllegalArgumentException if it predicts no positive throughput
   */
  public static ComputeTimes predicted(
      PerformancePredictor predictor, JobSpec job, Collection<GpuModel> models) {
    Map<GpuModel, Double> seconds = new TreeMap<>();
    for (GpuModel model : models) {
      seconds.put(model, 1 / predictor.throughput(job, model, 1, ClusterTopology.NODE).value());
    }
    return new ComputeTimes(seconds);
  }

  private static void requirePositive(GpuModel model, double seconds) {
    if (!(seconds > 0 && seconds < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "a task must compute for a positive, finite time, but for %s s on a %s"
              .formatted(seconds, model));
    }
  }
}
