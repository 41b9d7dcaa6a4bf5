package io.github.liquidscheduler.prediction;

import java.util.List;

/**
 * The learned state of a predictor. The predictor makes and reads it, its owner keeps it.
 * Immutable: to learn is to make another one.
 */
@FunctionalInterface
public interface PredictorState {

  /** The state of a predictor that has observed nothing. */
  PredictorState NONE = List::of;

  /** Returns the learned state as values that the predictor can restore, in a fixed order. */
  List<LearnedState> save();
}
