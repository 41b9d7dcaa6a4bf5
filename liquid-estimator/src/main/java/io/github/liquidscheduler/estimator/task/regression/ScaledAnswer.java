package io.github.liquidscheduler.estimator.task.regression;

import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;

/**
 * An answer on the scale that is learned on.
 *
 * @param center the prediction
 * @param calibration how far from it the truth may be
 * @param provenance where it comes from
 */
public record ScaledAnswer(double center, Calibration calibration, Provenance provenance) {

  /** Returns the answer in the unit of the target. */
  public Prediction prediction(ResourceTarget target) {
    return new Prediction(
        target.fromScale(center),
        target.fromScale(center + calibration.low()),
        target.fromScale(center + calibration.high()),
        provenance);
  }

  /** Returns the amount to request, in the unit of the target. */
  public double request(ResourceTarget target) {
    return target.fromScale(center + calibration.request());
  }

  /** Returns this answer with an interval {@code factor} times as wide. */
  public ScaledAnswer widened(double factor) {
    return new ScaledAnswer(center, calibration.widened(factor), provenance);
  }
}
