package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ledger.LedgerChanges;
import io.github.liquidscheduler.elastic.ledger.LedgerSnapshot;

/** A message from a leader to a worker. Any of it may come late, twice or out of order. */
public sealed interface ToWorker {

  /** Returns the term of the leader: a worker ignores those whose term has passed. */
  long term();

  /**
   * A topology is being built; a new worker answers when it is ready.
   *
   * @param term of the leader
   * @param topology the number it will have unless workers are lost meanwhile
   */
  record Prepare(long term, long topology) implements ToWorker {}

  /**
   * The topology will change before a mini-batch.
   *
   * @param term of the leader
   * @param at the first mini-batch of the new topology
   */
  record Switch(long term, long at) implements ToWorker {}

  /**
   * All mini-batches before this one are committed: train this one.
   *
   * @param term of the leader
   * @param topology who trains it
   * @param step which mini-batch
   * @param ledger who reads what
   */
  record Proceed(long term, TopologyEpoch topology, long step, LedgerUpdate ledger)
      implements ToWorker {}

  /**
   * Train no more.
   *
   * @param term of the leader
   * @param reason why
   * @param step all mini-batches before this one are committed
   */
  record Stop(long term, StopReason reason, long step) implements ToWorker {}

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
    /**
     * What changed since the mini-batch before, in the same topology.
     *
     * @param changes the new states
     */
    record Changes(LedgerChanges changes) implements LedgerUpdate {}

    /**
     * The whole ledger.
     *
     * @param snapshot all that it knows
     */
    record Full(LedgerSnapshot snapshot) implements LedgerUpdate {}
  }
}
