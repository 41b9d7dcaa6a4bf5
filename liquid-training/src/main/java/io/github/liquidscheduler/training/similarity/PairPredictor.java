package io.github.liquidscheduler.training.similarity;

/** Says how much of its speed a class keeps beside another. */
@FunctionalInterface
public interface PairPredictor {
  public double predict(int victim, int aggressor, int gpu);
}
