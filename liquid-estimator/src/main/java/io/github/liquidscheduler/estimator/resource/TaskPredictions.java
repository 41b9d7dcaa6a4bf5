package io.github.liquidscheduler.estimator.resource;

import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.regression.ScaledAnswer;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import java.util.EnumMap;
import java.util.Map;

/** The answers about a task in the units of the targets; the default where there is none. */
final class TaskPredictions {
  private TaskPredictions() {}

  /** Returns a prediction of every target; of device memory at most what the device has. */
  static Map<ResourceTarget, Prediction> of(
      Map<ResourceTarget, ScaledAnswer> answers, double device) {
    Map<ResourceTarget, Prediction> predictions = new EnumMap<>(ResourceTarget.class);
    for (ResourceTarget target : ResourceTarget.values()) {
      ScaledAnswer answer = answers.get(target);
      Prediction prediction = answer == null ? byDefault(target) : answer.prediction(target);
      boolean isMemory = target == ResourceTarget.GPU_MEMORY;
      predictions.put(target, isMemory ? atMost(prediction, device) : prediction);
    }
    return predictions;
  }

  private static Prediction atMost(Prediction prediction, double most) {
    return new Prediction(
        Math.min(prediction.value(), most),
        Math.min(prediction.low(), most),
        Math.min(prediction.high(), most),
        prediction.provenance());
  }

  private static Prediction byDefault(ResourceTarget target) {
    double high = target.isFraction() ? 1 : Double.POSITIVE_INFINITY;
    return new Prediction(target.byDefault(), 0, high, Provenance.DEFAULT);
  }
}
