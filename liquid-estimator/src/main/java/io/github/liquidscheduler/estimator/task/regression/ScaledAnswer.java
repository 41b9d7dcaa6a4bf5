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

  /** Returns what to request, in the unit of the target. */
  public double request(ResourceTarget target) {
    return target.fromScale(center + calibration.request());
  }

  /** Returns this answer with an interval by which only {@code part} of the amount may be off. */
  public ScaledAnswer ofPart(double part) {
    Calibration narrower =
        new Calibration(
            ofPart(part, calibration.low()),
            ofPart(part, calibration.high()),
            ofPart(part, calibration.request()),
            calibration.error());
    return new ScaledAnswer(center, narrower, provenance);
  }

  private static double ofPart(double part, double logarithm) {
    return Math.log1p(part * Math.expm1(logarithm));
  }

  /**
   * Returns this answer with an interval that begins lower and ends higher, and so does what is
   * requested.
   *
   * @param below what is added at the lower end, at most 0
   * @param above what is added at the upper end, at least 0
   */
  public ScaledAnswer stretched(double below, double above) {
    Calibration stretched =
        new Calibration(
            calibration.low() + below,
            calibration.high() + above,
            calibration.request() + above,
            calibration.error());
    return new ScaledAnswer(center, stretched, provenance);
  }

  /** Returns this answer with an interval {@code factor} times as wide. */
  public ScaledAnswer widened(double factor) {
    return new ScaledAnswer(center, calibration.widened(factor), provenance);
  }
}
