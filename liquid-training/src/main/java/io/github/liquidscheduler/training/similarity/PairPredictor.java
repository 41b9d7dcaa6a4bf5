package io.github.liquidscheduler.training.similarity;

/** Says how much of its speed a class keeps beside another. */
@FunctionalInterface
interface PairPredictor {
  double predict(int victim, int aggressor, int gpu);
}
