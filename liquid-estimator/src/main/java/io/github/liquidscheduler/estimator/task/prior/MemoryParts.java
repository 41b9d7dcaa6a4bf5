package io.github.liquidscheduler.estimator.task.prior;

/**
 * The parts of the memory of each device of a task, in bytes.
 *
 * @param process what the framework's process takes before it does anything: context and libraries
 * @param weights the weights, those of adapters too
 * @param gradients the gradients
 * @param optimizerState what the optimiser keeps, with the weights of full precision if others
 *     compute
 * @param activations what a batch keeps for the backward pass, or the widest layer of a server
 * @param cache the keys and values that a server keeps
 * @param scratch what the widest convolution needs besides
 * @param spare what the allocator holds without need: rounding and fragments
 */
public record MemoryParts(
    double process,
    double weights,
    double gradients,
    double optimizerState,
    double activations,
    double cache,
    double scratch,
    double spare) {

  /** Returns the parts that the task itself needs: no process, nothing spare, no scratch. */
  public double needed() {
    return weights + gradients + optimizerState + activations + cache;
  }

  /** Returns all parts together. */
  public double total() {
    return process + needed() + scratch + spare;
  }

  /**
   * Returns these parts with {@code factor} times as much of all but the weights, gradients and
   * optimiser state that {@code counted} has.
   */
  MemoryParts guessedTimes(double factor, MemoryParts counted) {
    return new MemoryParts(
        factor * process,
        guessedTimes(factor, weights, counted.weights()),
        guessedTimes(factor, gradients, counted.gradients()),
        guessedTimes(factor, optimizerState, counted.optimizerState()),
        factor * activations,
        factor * cache,
        factor * scratch,
        factor * spare);
  }

  private static double guessedTimes(double factor, double bytes, double counted) {
    double known = Math.min(bytes, counted);
    return known + factor * (bytes - known);
  }
}
