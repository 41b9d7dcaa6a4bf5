package io.github.liquidscheduler.planner.problem;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of all tasks of a gang: the value that is planned. An unassigned gang waits. Slots are
 * distinct; the arrays are never changed.
 */
public final class GangAssignment {

  /** Nowhere: the gang waits. */
  public static final GangAssignment UNASSIGNED =
      new GangAssignment(new int[0], new int[0], new int[0], 0, LinkContention.Usage.NONE);

  /** The slots that hold its tasks; empty if the gang waits. */
  public final int[] slots;

  /** Tasks of all roles on each slot. */
  public final int[] tasks;

  /** Tasks of each role on each slot, slot after slot. */
  public final int[] byRole;

  /** What the assignment costs apart from other jobs. */
  public final long cost;

  /** What its traffic uses of the links it crosses. */
  final LinkContention.Usage usage;

  GangAssignment(int[] slots, int[] tasks, int[] byRole, long cost, LinkContention.Usage usage) {
    this.slots = slots;
    this.tasks = tasks;
    this.byRole = byRole;
    this.cost = cost;
    this.usage = usage;
  }

  /** Returns the GPUs that a gang takes of the slot at a position. */
  int gpus(Gang gang, int at) {
    if (gang.roles == 1) {
      return byRole[at] * gang.gpus[0];
    }
    int gpus = 0;
    for (int role = 0; role < gang.roles; role++) {
      gpus += byRole[at * gang.roles + role] * gang.gpus[role];
    }
    return gpus;
  }

  /** Returns true if the gang waits. */
  public boolean isUnassigned() {
    return slots.length == 0;
  }

  boolean isOneSlot() {
    return slots.length == 1;
  }

  /**
   * Returns true if the other puts as many tasks of each role on the same slots, in the same order.
   */
  public boolean isSameAs(@Nullable GangAssignment other) {
    return other != null
        && Arrays.equals(slots, other.slots)
        && Arrays.equals(byRole, other.byRole);
  }
}
