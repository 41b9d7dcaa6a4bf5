package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.text.Count;
import java.util.List;

/**
 * Predicts how fast a job runs beside others on a GPU: its retained speed, the rate beside them
 * divided by the rate alone, in (0, 1.05] (IAPP). More load from co-runners never raises it.
 *
 * <p>A predictor does not change: what it learns is a {@link PredictorState}, which is kept by the
 * scheduler and handed to each call. A state of another kind of predictor counts as {@link
 * PredictorState#NONE}. Only {@link #retainedSpeed(ColocationQuery)} must be implemented by one
 * that does not learn. Calls may come from several threads.
 */
@FunctionalInterface
public interface InterferencePredictor {

  /** The largest retained speed: measurement noise makes values slightly above 1 possible. */
  double MAX_RETAINED_SPEED = 1.05;

  /** Returns the retained speed of the victim before anything was observed; 1 if it is alone. */
  Prediction retainedSpeed(ColocationQuery query);

  /** Returns the retained speed of the victim, given what was learned; 1 if it is alone. */
  default Prediction retainedSpeed(ColocationQuery query, PredictorState state) {
    return retainedSpeed(query);
  }

  /**
   * Writes the retained speeds of many victims and the lower ends of their intervals, with one
   * inference call where there is a model.
   *
   * @param state what was learned
   * @param speeds receives the predicted value of each question, at its position
   * @param lows receives the lower end of each interval, at its position, never rounded up
   * @throws IllegalArgumentException if an array is shorter than {@code queries}
   */
  default void retainedSpeeds(
      List<ColocationQuery> queries, PredictorState state, float[] speeds, float[] lows) {
    if (Math.min(speeds.length, lows.length) < queries.size()) {
      throw new IllegalArgumentException(
          "there must be space for %s, but there was for %d"
              .formatted(Count.of(queries.size(), "speed"), Math.min(speeds.length, lows.length)));
    }
    for (int i = 0; i < queries.size(); i++) {
      Prediction prediction = retainedSpeed(queries.get(i), state);
      speeds[i] = (float) prediction.value();
      float low = (float) prediction.low();
      lows[i] = low > prediction.low() ? Math.nextDown(low) : low;
    }
  }

  /**
   * Returns the state after a retained speed was measured; by default the same, for a predictor
   * that does not learn.
   *
   * @throws IllegalArgumentException if {@code retainedSpeed} is not in (0, 1.05]
   */
  default PredictorState observe(
      PredictorState state, ColocationQuery query, double retainedSpeed) {
    return state;
  }

  /**
   * Returns the state that was {@linkplain PredictorState#save saved}, here or by a predictor made
   * alike.
   *
   * @throws IllegalArgumentException if the values are not of such a predictor
   */
  default PredictorState restoreState(List<LearnedState> saved) {
    if (!saved.isEmpty()) {
      throw new IllegalArgumentException(
          "only a predictor that learns can restore learned state, but a %s was given %s"
              .formatted(getClass().getSimpleName(), Count.of(saved.size(), "value")));
    }
    return PredictorState.NONE;
  }
}
