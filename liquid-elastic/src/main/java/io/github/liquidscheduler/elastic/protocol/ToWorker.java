package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ledger.LedgerChanges;
import io.github.liquidscheduler.elastic.ledger.LedgerSnapshot;
import java.util.Objects;

/** A message from a leader to a worker. Any of it may come late, twice or out of order. */
public sealed interface ToWorker {

  /** Returns the term of the leader: a worker ignores those whose term has passed. */
  long term();

  /**
   * A topology is being built, which has this number unless workers are lost meanwhile; a new
   * worker answers when it is ready.
   */
  record Prepare(long term, long topology) implements ToWorker {}

  /** The topology will change before mini-batch {@code at}. */
  record Switch(long term, long at) implements ToWorker {}

  /** All mini-batches before this one are committed: train it, with this topology and ledger. */
  record Proceed(long term, TopologyEpoch topology, long step, LedgerUpdate ledger)
      implements ToWorker {
    /** Refuses the absence of a topology or of a ledger. */
    public Proceed {
      Objects.requireNonNull(topology, "topology");
      Objects.requireNonNull(ledger, "ledger");
    }
  }

  /** Train no more; all mini-batches before {@code step} are committed. */
  record Stop(long term, StopReason reason, long step) implements ToWorker {
    /** Refuses what has no reason. */
    public Stop {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** Why a worker trains no more. */
  enum StopReason {
    /** Every epoch is done. */
    FINISHED,
    /** It was asked to leave. */
    REMOVED,
    /** It was taken for lost, or came too late. */
    EVICTED,
    /** Nobody holds the model any more. */
    MODEL_LOST
  }

  /** What a worker's copy of the ledger is made equal by. */
  sealed interface LedgerUpdate {
    /** What changed since the mini-batch before, in the same topology. */
    record Changes(LedgerChanges changes) implements LedgerUpdate {
      /** Refuses the absence of one. */
      public Changes {
        Objects.requireNonNull(changes, "changes");
      }
    }

    /** The whole ledger. */
    record Full(LedgerSnapshot snapshot) implements LedgerUpdate {
      /** Refuses the absence of one. */
      public Full {
        Objects.requireNonNull(snapshot, "snapshot");
      }
    }
  }
}
