package io.github.liquidscheduler.elastic.ledger;

import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import java.util.List;

/**
 * All that a ledger knows, as a value: what is handed to the next leader.
 *
 * @param partitioning how the data set is split
 * @param epoch the pass over the data, from 0
 * @param states one for each partition
 * @param mayBeSeenTwice what crashed workers may have read without reporting it, in all epochs
 */
public record LedgerSnapshot(
    Partitioning partitioning,
    int epoch,
    List<PartitionState> states,
    List<SampleRange> mayBeSeenTwice) {

  /** Refuses states that do not fit the partitions. */
  public LedgerSnapshot {
    states = List.copyOf(states);
    mayBeSeenTwice = List.copyOf(mayBeSeenTwice);
    if (states.size() != partitioning.partitions()) {
      throw new IllegalArgumentException(
          "A snapshot must have a state for each partition, of which there are %d, but has %d"
              .formatted(partitioning.partitions(), states.size()));
    }
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch must not be negative, but was " + epoch);
    }
    for (int partition = 0; partition < states.size(); partition++) {
      if (!states.get(partition).fits(partitioning.length(partition))) {
        throw new IllegalArgumentException(
            "Partition %d of length %d cannot be %s"
                .formatted(partition, partitioning.length(partition), states.get(partition)));
      }
    }
  }
}
