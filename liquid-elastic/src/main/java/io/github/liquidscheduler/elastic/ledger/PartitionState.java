package io.github.liquidscheduler.elastic.ledger;

import io.github.liquidscheduler.elastic.WorkerId;

/** An epoch's progress in a partition. Offsets are counted from the partition's first sample. */
public sealed interface PartitionState {

  /** Waits for a worker, from the first sample on that nobody has read. */
  record Todo(long start) implements PartitionState {}

  /** Is a worker's shard; shards of a worker are read in ascending {@code sequence}. */
  record Owned(WorkerId worker, long offset, long sequence) implements PartitionState {}

  /** Has been read to its end. */
  record Done() implements PartitionState {}
}
