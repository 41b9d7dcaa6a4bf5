package io.github.liquidscheduler.scheduler.quota;

import static java.util.Objects.requireNonNull;

/**
 * The two siblings, or roots, that contain two different queues.
 *
 * @param mine the ancestor of the one, or itself
 * @param theirs the ancestor of the other, or itself
 */
record QueueSides(QueueAccount mine, QueueAccount theirs) {

  /** Returns the siblings for two queues of which neither contains the other. */
  static QueueSides of(QueueAccount one, QueueAccount other) {
    QueueAccount mine = one;
    QueueAccount theirs = other;
    while (mine.depth() > theirs.depth()) {
      mine = requireNonNull(mine.parent());
    }
    while (theirs.depth() > mine.depth()) {
      theirs = requireNonNull(theirs.parent());
    }
    while (mine.parent() != theirs.parent()) {
      mine = requireNonNull(mine.parent());
      theirs = requireNonNull(theirs.parent());
    }
    return new QueueSides(mine, theirs);
  }
}
