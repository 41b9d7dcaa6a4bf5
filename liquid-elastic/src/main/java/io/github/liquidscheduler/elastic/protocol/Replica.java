package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ledger.LedgerSnapshot;
import java.util.Comparator;

/**
 * The progress of a job, as one worker or the saved state knows it, with the mini-batch that is
 * next to be committed, from 1. The furthest one is where the next leader goes on.
 */
public record Replica(TopologyEpoch topology, long step, LedgerSnapshot ledger) {
  static final Comparator<Replica> BY_PROGRESS =
      Comparator.comparingLong((Replica replica) -> replica.topology().number())
          .thenComparingLong(Replica::step);
}
