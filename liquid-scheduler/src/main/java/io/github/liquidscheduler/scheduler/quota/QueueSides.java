package io.github.liquidscheduler.scheduler.quota;

import static java.util.Objects.requireNonNull;

/**
 * The siblings, or roots, of which one holds one queue, or is it, and one another.
 *
 * @param mine the side of the one
 * @param theirs the side of the other
 */
record QueueSides(QueueAccount mine, QueueAccount theirs) {

  /** Returns where two queues part of which none is a part of the other. */
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
