package io.github.liquidscheduler.prediction;

import java.util.Objects;

/**
 * A predicted number with its 90 % interval.
 *
 * @param value the prediction, in the unit that the predictor states
 * @param low the lower end of the interval, at most {@code value}
 * @param high the upper end of the interval, at least {@code value}; may be infinite
 * @param provenance where it comes from
 */
public record Prediction(double value, double low, double high, Provenance provenance) {

  /**
   * Checks the interval.
   *
   * @throws IllegalArgumentException if a number is NaN or the interval does not hold the value
   */
  public Prediction {
    Objects.requireNonNull(provenance, "provenance");
    if (!(low <= value && value <= high)) {
      throw new IllegalArgumentException(
          "a prediction must lie in its interval, but was " + value + " in " + low + " to " + high);
    }
  }

  /** Returns a prediction that is certain, such as one measured many times. */
  public static Prediction certain(double value, Provenance provenance) {
    return new Prediction(value, value, value, provenance);
  }

  /** Returns the width of the interval. */
  public double width() {
    return high - low;
  }
}
