package io.github.liquidscheduler.elastic.ledger;

import java.util.List;

/**
 * The changes of a ledger since it was last asked, in ascending order of their partitions: small
 * enough to travel with each mini-batch, so that every worker holds a copy. A copy that is one
 * epoch behind begins this one first.
 */
public record LedgerChanges(int epoch, List<Change> changes) {

  /** Copies the list. */
  public LedgerChanges {
    changes = List.copyOf(changes);
  }

  /** The new state of one partition. */
  public record Change(int partition, PartitionState state) {}
}
