package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.scheduler.state.NodeFailures;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/**
 * Pre-empts the jobs on draining nodes whose deadlines have passed, including jobs that policies
 * must not pre-empt: the operator needs the nodes.
 */
public final class DrainDeadlines implements Stage {

  @Override
  public void run(Turn turn) {
    NodeFailures failures = turn.state().failures();
    FailureHandler handler = new FailureHandler(turn.jobs(), failures);
    failures.takeDue(turn.jobs().now()).forEach(node -> handler.nodeIsDue(turn, node));
  }
}
