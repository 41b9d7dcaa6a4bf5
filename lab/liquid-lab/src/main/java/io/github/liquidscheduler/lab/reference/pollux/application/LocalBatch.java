package io.github.liquidscheduler.lab.reference.pollux.application;

/**
 * The batch that one GPU computes between two updates of a model.
 *
 * @param size the samples that are computed at once, at least 1
 * @param accumulations how many further batches of that size are accumulated before gradients are
 *     synchronised
 */
public record LocalBatch(int size, int accumulations) {

  /** Returns the batch size of a step on {@code gpus} GPUs. */
  public int total(int gpus) {
    return gpus * size * (accumulations + 1);
  }
}
