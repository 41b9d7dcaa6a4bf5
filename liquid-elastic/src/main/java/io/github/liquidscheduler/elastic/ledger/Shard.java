package io.github.liquidscheduler.elastic.ledger;

/**
 * The rest of a partition that a worker has to read.
 *
 * @param partition which partition
 * @param offset the first sample to read, counted from the partition's first
 * @param length how many samples the whole partition has
 * @param sequence shards of one worker are read in ascending order of this
 */
public record Shard(int partition, long offset, long length, long sequence) {

  /** Returns the offset at which a mini-batch of this many samples ends; the last may be short. */
  public long endOfBatch(int batchSize) {
    return Math.min(offset + batchSize, length);
  }
}
