package io.github.liquidscheduler.elastic.ledger;

import io.github.liquidscheduler.elastic.Partitioning;
import java.util.List;
import java.util.Objects;

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
  public record Change(int partition, PartitionState state) {
    /** Refuses a change to nothing. */
    public Change {
      Objects.requireNonNull(state, "state");
    }
  }

  /** Returns true if each is of a partition that there is, and possible. */
  public boolean fit(Partitioning partitioning) {
    return epoch >= 0
        && changes.stream()
            .allMatch(
                change ->
                    change.partition() >= 0
                        && change.partition() < partitioning.partitions()
                        && change.state().fits(partitioning.length(change.partition())));
  }
}
