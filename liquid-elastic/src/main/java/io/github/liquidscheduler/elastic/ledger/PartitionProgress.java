package io.github.liquidscheduler.elastic.ledger;

/**
 * What a worker reports with each mini-batch.
 *
 * @param epoch the pass over the data
 * @param partition the partition that was read
 * @param offset one past the last sample read, counted from the partition's first
 */
public record PartitionProgress(int epoch, int partition, long offset) {}
