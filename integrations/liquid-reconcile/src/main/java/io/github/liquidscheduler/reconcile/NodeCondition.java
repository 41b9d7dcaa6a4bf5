package io.github.liquidscheduler.reconcile;

/** Whether a node takes tasks, as its manager says. */
public enum NodeCondition {
  /** It takes tasks. */
  UP,
  /** Its tasks run on, and it takes no others. */
  DRAINING,
  /** It does not answer and has not been given up: its tasks may run on. */
  SUSPECT,
  /** It is given up, and so are its tasks. */
  DOWN
}
