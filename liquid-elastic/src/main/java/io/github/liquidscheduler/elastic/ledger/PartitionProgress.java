package io.github.liquidscheduler.elastic.ledger;

/**
 * The report of a worker with each mini-batch, up to one past the last sample read, counted from
 * the partition's first.
 */
public record PartitionProgress(int epoch, int partition, long offset) {

  /** Refuses negative numbers. */
  public PartitionProgress {
    if (epoch < 0 || partition < 0 || offset < 0) {
      throw new IllegalArgumentException(
          "Progress must not be negative, but was offset %d of partition %d in epoch %d"
              .formatted(offset, partition, epoch));
    }
  }
}
