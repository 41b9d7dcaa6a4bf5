package io.github.liquidscheduler.elastic.ledger;

import io.github.liquidscheduler.elastic.WorkerId;
import java.util.Objects;

/** An epoch's progress in a partition. Offsets are counted from the partition's first sample. */
public sealed interface PartitionState {

  /** Returns true if a partition of this many samples can be in this state. */
  boolean fits(long samples);

  /** Waits for a worker, from the first sample on that nobody has read. */
  record Todo(long start) implements PartitionState {
    @Override
    public boolean fits(long samples) {
      return start >= 0 && start <= samples;
    }
  }

  /** Is a worker's shard; shards of a worker are read in ascending {@code sequence}. */
  record Owned(WorkerId worker, long offset, long sequence) implements PartitionState {
    /** Refuses what has no owner. */
    public Owned {
      Objects.requireNonNull(worker, "worker");
    }

    @Override
    public boolean fits(long samples) {
      return offset >= 0 && offset <= samples && sequence >= 0 && sequence <= Long.MAX_VALUE / 2;
    }
  }

  /** Has been read to its end. */
  record Done() implements PartitionState {
    @Override
    public boolean fits(long samples) {
      return true;
    }
  }
}
