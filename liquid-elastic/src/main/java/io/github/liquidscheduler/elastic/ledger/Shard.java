package io.github.liquidscheduler.elastic.ledger;

/**
 * The rest of a partition that a worker has to read, from a sample counted from the partition's
 * first. Shards of one worker are read in ascending {@code sequence}.
 */
public record Shard(int partition, long offset, long length, long sequence) {

  /** Returns the offset at which a mini-batch of this many samples ends; the last may be short. */
  public long endOfBatch(int batchSize) {
    return Math.min(offset + batchSize, length);
  }
}
