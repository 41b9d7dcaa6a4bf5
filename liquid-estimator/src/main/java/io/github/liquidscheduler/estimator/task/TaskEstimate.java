package io.github.liquidscheduler.estimator.task;

import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.ResourceEstimate;
import io.github.liquidscheduler.resource.Memory;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The expected needs of one task.
 *
 * @param task the task
 * @param gpuMemoryRequested the device memory to request: a high quantile, at least the prediction
 * @param predictions what is expected of every target, in its unit, with its interval
 */
public record TaskEstimate(
    TaskProfile task, Memory gpuMemoryRequested, Map<ResourceTarget, Prediction> predictions) {
  private static final double PERCENT = 100;

  /** Copies the predictions. */
  public TaskEstimate {
    predictions = Collections.unmodifiableMap(new EnumMap<>(predictions));
  }

  /** Returns the prediction of {@code target}, in its unit. */
  public Prediction of(ResourceTarget target) {
    return Objects.requireNonNull(predictions.get(target), "target");
  }

  /** Returns the estimate in the terms of the API. */
  public ResourceEstimate toEstimate() {
    return new ResourceEstimate(
        of(ResourceTarget.GPU_MEMORY),
        gpuMemoryRequested,
        roundedUp(of(ResourceTarget.GPU_UTILIZATION)),
        times(of(ResourceTarget.CPU), 1000),
        of(ResourceTarget.HOST_MEMORY),
        larger(of(ResourceTarget.NETWORK_RECEIVED), of(ResourceTarget.NETWORK_SENT)),
        of(ResourceTarget.PRE),
        of(ResourceTarget.POST),
        of(ResourceTarget.TOTAL));
  }

  /** Up, so that jobs that share a GPU are not promised more of it than there is. */
  private static Prediction roundedUp(Prediction prediction) {
    double value = Math.min(1, Math.ceil(prediction.value() * PERCENT - 1e-9) / PERCENT);
    return new Prediction(
        value, prediction.low(), Math.max(value, prediction.high()), prediction.provenance());
  }

  private static Prediction times(Prediction prediction, double factor) {
    return new Prediction(
        prediction.value() * factor,
        prediction.low() * factor,
        prediction.high() * factor,
        prediction.provenance());
  }

  private static Prediction larger(Prediction left, Prediction right) {
    return left.value() >= right.value() ? left : right;
  }
}
