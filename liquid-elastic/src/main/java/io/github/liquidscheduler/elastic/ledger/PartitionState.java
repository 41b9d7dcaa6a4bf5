package io.github.liquidscheduler.elastic.ledger;

import io.github.liquidscheduler.elastic.WorkerId;

/** An epoch's progress in a partition. Offsets are counted from the partition's first sample. */
public sealed interface PartitionState {

  /**
   * Waits for a worker.
   *
   * @param start the first sample that nobody has read; above 0 for a returned remainder
   */
  record Todo(long start) implements PartitionState {}

  /**
   * Is a worker's shard.
   *
   * @param worker who reads it
   * @param offset the first sample that is not yet reported
   * @param sequence shards of one worker are read in ascending order of this
   */
  record Owned(WorkerId worker, long offset, long sequence) implements PartitionState {}

  /** Has been read to its end. */
  record Done() implements PartitionState {}
}
