package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Instant;
import java.util.List;

/**
 * Empties draining nodes by their deadlines, also of jobs that policies must not pre-empt: the
 * operator needs the nodes. Elastic jobs are notified before to get smaller, as before maintenance.
 */
public record DrainDeadlines(NodeEvacuation evacuation) implements Stage {

  @Override
  public void run(Turn turn) {
    evacuation.giveNotice(turn);
    Instant now = turn.jobs().now();
    List<NodeId> due = turn.state().failures().takeDue(now);
    evacuation.clear(turn, due, now, Reason.NodeDrained::new);
  }
}
