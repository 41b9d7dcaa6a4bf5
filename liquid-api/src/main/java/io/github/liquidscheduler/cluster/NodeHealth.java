package io.github.liquidscheduler.cluster;

/** The health of a node: whether tasks may run on it. */
public enum NodeHealth {
  /** The node runs tasks and takes new ones. */
  UP,
  /** The node runs the tasks it has and takes no new ones. */
  DRAINING,
  /** The node is gone; nothing runs on it. */
  LOST
}
