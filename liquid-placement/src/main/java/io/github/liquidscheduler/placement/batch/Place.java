package io.github.liquidscheduler.placement.batch;

import org.jspecify.annotations.Nullable;

/**
 * Where all tasks of a gang are: the value that is planned. A gang without a place waits. Slots are
 * distinct; the arrays are never changed.
 */
final class Place {

  /** Not now. */
  static final Place NOT_NOW =
      new Place(new int[0], new int[0], new int[0], 0, SharedLinks.Uses.NONE);

  final int[] slots;

  /** Tasks of all roles on each slot. */
  final int[] tasks;

  /** Tasks of each role on each slot, slot after slot. */
  final int[] byRole;

  /** What the place costs whoever else is there. */
  final long cost;

  /** What its traffic does to the links it crosses. */
  final SharedLinks.Uses uses;

  Place(int[] slots, int[] tasks, int[] byRole, long cost, SharedLinks.Uses uses) {
    this.slots = slots;
    this.tasks = tasks;
    this.byRole = byRole;
    this.cost = cost;
    this.uses = uses;
  }

  boolean isNotNow() {
    return slots.length == 0;
  }

  boolean isOneSlot() {
    return slots.length == 1;
  }

  boolean isSameAs(@Nullable Place other) {
    return other != null
        && java.util.Arrays.equals(slots, other.slots)
        && java.util.Arrays.equals(byRole, other.byRole);
  }
}
