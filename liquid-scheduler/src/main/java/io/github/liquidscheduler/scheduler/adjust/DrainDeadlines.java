package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Reason;

/**
 * Pre-empts the jobs on draining nodes whose deadlines have passed, including jobs that policies
 * must not pre-empt: the operator needs the nodes.
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
