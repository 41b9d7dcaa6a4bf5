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

  /** Returns a prediction of every target. */
  static Map<ResourceTarget, Prediction> of(Map<ResourceTarget, ScaledAnswer> answers) {
    Map<ResourceTarget, Prediction> predictions = new EnumMap<>(ResourceTarget.class);
    for (ResourceTarget target : ResourceTarget.values()) {
      ScaledAnswer answer = answers.get(target);
      predictions.put(target, answer == null ? byDefault(target) : answer.prediction(target));
    }
    return predictions;
  }

  private static Prediction byDefault(ResourceTarget target) {
    double high = target.isFraction() ? 1 : Double.POSITIVE_INFINITY;
    return new Prediction(target.byDefault(), 0, high, Provenance.DEFAULT);
  }
}
