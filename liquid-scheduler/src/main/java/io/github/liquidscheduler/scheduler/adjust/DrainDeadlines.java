package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Reason;

/**
 * Pre-empts what still runs on draining nodes whose deadlines have come, jobs that policies must
 * not pre-empt included: an operator needs the nodes.
 */
public final class DrainDeadlines implements Adjuster {

  @Override
  public void adjust(Turn turn) {
    for (NodeId node : turn.state().failures().takeDue(turn.jobs().now())) {
      Reason reason = new Reason.NodeDrained(node);
      turn.jobs().running().on(node).forEach(job -> turn.preempt(job, reason));
    }
  }
}
