package io.github.liquidscheduler.prediction;

import java.util.List;

/**
 * Predicts how fast a job runs beside others on a GPU: its retained speed, the rate beside them
 * divided by the rate alone, in (0, 1.05] (IAPP). More load from co-runners never raises it. Not
 * thread-safe.
 */
public interface InterferencePredictor {

  /** The largest retained speed: measurement noise makes values slightly above 1 possible. */
  double MAX_RETAINED_SPEED = 1.05;

  /** Returns the retained speed of the victim; 1 if it is alone. */
  Prediction retainedSpeed(ColocationQuery colocation);

  /**
   * Writes the retained speeds of many victims, with one inference call where there is a model.
   *
   * @param colocations the questions
   * @param speeds receives the predicted value of each question, at its position
   * @throws IllegalArgumentException if {@code speeds} is shorter than {@code colocations}
   */
  default void retainedSpeeds(List<ColocationQuery> colocations, float[] speeds) {
    if (speeds.length < colocations.size()) {
      throw new IllegalArgumentException(
          "there must be room for %d speeds, but there was for %d"
              .formatted(colocations.size(), speeds.length));
    }
    for (int i = 0; i < colocations.size(); i++) {
      speeds[i] = (float) retainedSpeed(colocations.get(i)).value();
    }
  }

  /**
   * Writes the retained speeds of many victims, and how low they may be.
   *
   * @param colocations the questions
   * @param speeds receives the predicted value of each question, at its position
   * @param lows receives the lower end of each interval, at its position, never rounded up
   * @throws IllegalArgumentException if an array is shorter than {@code colocations}
   */
  default void retainedSpeeds(List<ColocationQuery> colocations, float[] speeds, float[] lows) {
    retainedSpeeds(colocations, speeds);
    for (int i = 0; i < colocations.size(); i++) {
      double low = retainedSpeed(colocations.get(i)).low();
      lows[i] = (float) low > low ? Math.nextDown((float) low) : (float) low;
    }
  }

  /**
   * Learns the retained speed measured for a co-location.
   *
   * @throws IllegalArgumentException if {@code retainedSpeed} is not in (0, 1.05]
   */
  void observe(ColocationQuery colocation, double retainedSpeed);

  /**
   * Returns all that was learned from observations, so that it can be kept; nothing if this model
   * keeps nothing of it.
   */
  default List<LearnedState> saveState() {
    return List.of();
  }

  /**
   * Forgets what was learned from observations and knows instead what a model made alike had
   * learned: both answer alike from then on.
   *
   * @throws IllegalArgumentException if the learned state are not of such a model
   */
  default void restoreState(List<LearnedState> learnedStates) {
    if (!learnedStates.isEmpty()) {
      throw new IllegalArgumentException(
          "only a model that keeps what it learns can restoreState learned state, but this one, a %s,"
                  .formatted(getClass().getSimpleName())
              + " was given "
              + learnedStates.size());
    }
  }
}
