package io.github.liquidscheduler.estimator.resource;

import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;

/**
 * An answer on the scale that is learned on.
 *
 * @param center the prediction
 * @param calibration how far from it the truth may be
 * @param provenance where it comes from
 */
record ScaledAnswer(double center, Calibration calibration, Provenance provenance) {

  Prediction prediction(ResourceTarget target) {
    return new Prediction(
        target.fromScale(center),
        target.fromScale(center + calibration.low()),
        target.fromScale(center + calibration.high()),
        provenance);
  }

  /** Returns what to request, in the unit of the target. */
  double request(ResourceTarget target) {
    return target.fromScale(center + calibration.request());
  }

  ScaledAnswer widened(double factor) {
    return new ScaledAnswer(center, calibration.widened(factor), provenance);
  }
}
