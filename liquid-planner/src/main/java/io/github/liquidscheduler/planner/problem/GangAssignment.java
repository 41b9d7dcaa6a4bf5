package io.github.liquidscheduler.planner.problem;

import org.jspecify.annotations.Nullable;

/**
 * Where all tasks of a gang are: the value that is planned. A gang without a place waits. Slots are
 * distinct; the arrays are never changed.
 */
public final class GangAssignment {

  /** Not now. */
  public static final GangAssignment UNASSIGNED =
      new GangAssignment(new int[0], new int[0], new int[0], 0, LinkContention.Uses.NONE);

  public final int[] slots;

  /** Tasks of all roles on each slot. */
  public final int[] tasks;

  /** Tasks of each role on each slot, slot after slot. */
  public final int[] byRole;

  /** What the place costs whoever else is there. */
  public final long cost;

  /** What its traffic does to the links it crosses. */
  final LinkContention.Uses uses;

  GangAssignment(int[] slots, int[] tasks, int[] byRole, long cost, LinkContention.Uses uses) {
    this.slots = slots;
    this.tasks = tasks;
    this.byRole = byRole;
    this.cost = cost;
    this.uses = uses;
  }

  public boolean isUnassigned() {
    return slots.length == 0;
  }

  boolean isOneSlot() {
    return slots.length == 1;
  }

  public boolean isSameAs(@Nullable GangAssignment other) {
    return other != null
        && java.util.Arrays.equals(slots, other.slots)
        && java.util.Arrays.equals(byRole, other.byRole);
  }
}
