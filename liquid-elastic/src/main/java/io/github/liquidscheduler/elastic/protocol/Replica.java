package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ledger.LedgerSnapshot;
import java.util.Comparator;

/**
 * The progress of a job, as one worker or the saved state knows it. The furthest one is where the
 * next leader goes on.
 *
 * @param topology who trains together
 * @param step the mini-batch that is next to be committed, from 1
 * @param ledger who reads what in that mini-batch
 */
public record Replica(TopologyEpoch topology, long step, LedgerSnapshot ledger) {
  static final Comparator<Replica> BY_PROGRESS =
      Comparator.comparingLong((Replica replica) -> replica.topology().number())
          .thenComparingLong(Replica::step);
}
