package io.github.liquidscheduler.scheduler.order;

import org.jspecify.annotations.Nullable;

/**
 * A queue of a tree at one instant, descendants included. Amounts are in the smallest units, {@link
 * Long#MAX_VALUE} standing for unlimited.
 */
public interface TurnQueue {

  /** Returns its index in the tree, in the order of definition; unique. */
  int index();

  /** Returns the parent; null for a root. */
  @Nullable TurnQueue parent();

  /** Returns the priority among its siblings; higher goes first. */
  int priority();

  /** Returns the amount of a resource that its jobs hold or are promised. */
  long held(int resource);

  /** Returns the computed share of a resource. */
  long share(int resource);

  /** Returns the guaranteed amount of a resource: the nominal quota where queues lend. */
  long guaranteed(int resource);

  /** Returns the limit of a resource. */
  long limit(int resource);
}
