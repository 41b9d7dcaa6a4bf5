package io.github.liquidscheduler.training.similarity;

/** Says how much of its speed a class keeps beside another. */
@FunctionalInterface
public interface PairPredictor {
  /** Returns the retained speed of a victim beside an aggressor, by numbers of the table. */
  double predict(int victim, int aggressor, int gpu);
}
