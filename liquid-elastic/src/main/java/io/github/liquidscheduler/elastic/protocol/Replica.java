package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ledger.LedgerSnapshot;
import java.util.Comparator;
import java.util.Objects;

/**
 * The progress of a job, as one worker or the saved state knows it, with the mini-batch that is
 * next to be committed, from 1. The furthest one is where the next leader goes on.
 */
public record Replica(TopologyEpoch topology, long step, LedgerSnapshot ledger) {
  static final Comparator<Replica> BY_PROGRESS =
      Comparator.comparingLong((Replica replica) -> replica.topology().number())
          .thenComparingLong(Replica::step);

  /** Refuses numbers that cannot be, or from which cannot be counted on. */
  public Replica {
    Objects.requireNonNull(topology, "topology");
    Objects.requireNonNull(ledger, "ledger");
    if (step < 1 || step > Long.MAX_VALUE / 2) {
      throw new IllegalArgumentException(
          "the next mini-batch must be from 1 to 2^62, but was " + step);
    }
  }
}
