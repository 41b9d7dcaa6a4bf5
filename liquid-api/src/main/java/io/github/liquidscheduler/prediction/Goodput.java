package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import java.util.Objects;
import java.util.Optional;

/**
 * The learning speed of a job: its throughput times its statistical efficiency, in samples per
 * second that are worth as much as those of its initial batch (Qiao et al., Pollux, OSDI 2021).
 *
 * @param throughput how long its iterations take
 * @param efficiency what its samples teach
 * @param bounds which batches it may have
 */
public record Goodput(
    ThroughputModel throughput, StatisticalEfficiency efficiency, BatchBounds bounds) {

  /** Checks that nothing is null. */
  public Goodput {
    Objects.requireNonNull(throughput, "throughput");
    Objects.requireNonNull(efficiency, "efficiency");
    Objects.requireNonNull(bounds, "bounds");
  }

  /** Returns the goodput with a batch, whether or not it is within the bounds. */
  public double at(Replicas replicas, BatchSize batch) {
    return throughput.samplesPerSecond(replicas, batch.local(), batch.accumulations())
        * efficiency.at((double) batch.samples(replicas));
  }

  /**
   * Returns the batch within the bounds, and not smaller than the initial one, with the largest
   * goodput; of several that with the fewest accumulations, then the smallest. Empty if no batch is
   * within the bounds.
   *
   * <p>The logarithm of the goodput is concave in that of the local batch, as time per sample and
   * samples needed are both sums of powers of it. So halving finds the best of all sizes.
   */
  public Optional<BatchSize> best(Replicas replicas) {
    Optional<BatchSize> best = Optional.empty();
    for (int times = 0; times <= bounds.accumulations(); times++) {
      Optional<BatchSize> found = best(replicas, times);
      if (found.isPresent()
          && (best.isEmpty() || at(replicas, found.get()) > at(replicas, best.get()))) {
        best = found;
      }
    }
    return best;
  }

  private Optional<BatchSize> best(Replicas replicas, int accumulations) {
    long copies = (long) replicas.gpus() * (accumulations + 1);
    long least = Math.ceilDiv(efficiency.initialBatch(), copies);
    long low = Math.max(bounds.smallestLocal(), least);
    long high = Math.min(bounds.largestLocal(), bounds.largest() / copies);
    if (low > high) {
      return Optional.empty();
    }
    int from = (int) low;
    int to = (int) high;
    while (from < to) {
      int middle = from + (to - from) / 2;
      double here = at(replicas, new BatchSize(middle, accumulations));
      if (at(replicas, new BatchSize(middle + 1, accumulations)) > here) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return Optional.of(new BatchSize(from, accumulations));
  }

  /**
   * A batch.
   *
   * @param local the samples on each GPU each time, at least 1
   * @param accumulations how many times more gradients are computed before they are synchronised
   */
  public record BatchSize(int local, int accumulations) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public BatchSize {
      if (local < 1 || accumulations < 0) {
        throw new IllegalArgumentException(
            "a batch needs 1 sample or more and no negative accumulations, but had %d and %d"
                .formatted(local, accumulations));
      }
    }

    /** Returns the samples over all GPUs. */
    public long samples(Replicas replicas) {
      return (long) replicas.gpus() * local * (accumulations + 1);
    }
  }

  /**
   * The batch sizes that a job may have.
   *
   * @param smallestLocal the fewest samples on a GPU, at least 1
   * @param largestLocal the most samples that fit into the memory of a GPU
   * @param largest the most samples over all GPUs, such as what the learning rate was tried with
   * @param accumulations how many times more gradients may be computed before they are
   *     synchronised; 0 for never
   */
  public record BatchBounds(int smallestLocal, int largestLocal, int largest, int accumulations) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public BatchBounds {
      if (smallestLocal < 1 || largestLocal < smallestLocal || largest < 1 || accumulations < 0) {
        throw new IllegalArgumentException(
            "bounds of a batch must be in order, but were %d to %d on a GPU, %d in all, %d accumulations"
                .formatted(smallestLocal, largestLocal, largest, accumulations));
      }
    }
  }
}
