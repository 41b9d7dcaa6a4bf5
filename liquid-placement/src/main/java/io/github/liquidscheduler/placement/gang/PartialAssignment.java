package io.github.liquidscheduler.placement.gang;

import java.util.Arrays;

/**
 * The tasks of a gang assigned to slots so far, and the amounts they hold there, beside free
 * amounts that the caller knows: a slot is the part of a node in one GPU pool, and slots of a node
 * share its CPU and host memory. Slots filled keep their order, empty ones too, until the next gang
 * begins. Reuses its arrays. Not thread-safe.
 */
public final class PartialAssignment {

  private static final int NOWHERE = -1;

  private final int[] nodeOf;
  private final int[] usedGpus;
  private final long[] usedCpu;
  private final long[] usedMemory;
  private final int[] position;
  private int[] slots = new int[64];
  private int[] byRole = new int[64];
  private int size;
  private TaskShape[] requests = {};

  /**
   * Makes an assignment of no gang.
   *
   * @param nodeOf the number of the node of each slot, at most that of slots; not to be changed
   */
  public PartialAssignment(int[] nodeOf) {
    this.nodeOf = nodeOf;
    usedGpus = new int[nodeOf.length];
    usedCpu = new long[nodeOf.length];
    usedMemory = new long[nodeOf.length];
    position = new int[nodeOf.length];
    Arrays.fill(position, NOWHERE);
  }

  /**
   * Begins with a gang without assigned tasks.
   *
   * @param requests the request of each task, by role; not to be changed
   */
  public void begin(TaskShape[] requests) {
    for (int i = 0; i < size; i++) {
      int slot = slots[i];
      position[slot] = NOWHERE;
      usedGpus[slot] = 0;
      usedCpu[nodeOf[slot]] = 0;
      usedMemory[nodeOf[slot]] = 0;
    }
    size = 0;
    this.requests = requests;
  }

  /** Returns the slots filled, valid up to {@link #size}, until the next gang begins. */
  public int[] slots() {
    return slots;
  }

  /** Returns the tasks of each role on each slot filled: slot by slot, role by role. */
  public int[] byRole() {
    return byRole;
  }

  /** Returns the number of slots filled; some may be empty again. */
  public int size() {
    return size;
  }

  /** Adds tasks of a role to a slot, or removes as many if {@code tasks} is negative. */
  public void add(int slot, int role, int tasks) {
    int at = position[slot] < 0 ? append(slot) : position[slot];
    TaskShape request = requests[role];
    byRole[at * requests.length + role] += tasks;
    usedGpus[slot] += tasks * request.gpus();
    usedCpu[nodeOf[slot]] += tasks * request.cpu();
    usedMemory[nodeOf[slot]] += tasks * request.memory();
  }

  private int append(int slot) {
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, 2 * size);
    }
    int end = (size + 1) * requests.length;
    if (end > byRole.length) {
      byRole = Arrays.copyOf(byRole, 2 * end);
    }
    slots[size] = slot;
    Arrays.fill(byRole, size * requests.length, end, 0);
    position[slot] = size;
    return size++;
  }

  /** Returns the number of tasks of the role on a slot. */
  public int tasks(int slot, int role) {
    return position[slot] < 0 ? 0 : byRole[position[slot] * requests.length + role];
  }

  /** Returns the number of tasks of all roles on a slot. */
  public int tasks(int slot) {
    int sum = 0;
    for (int role = 0; position[slot] >= 0 && role < requests.length; role++) {
      sum += tasks(slot, role);
    }
    return sum;
  }

  /**
   * Returns the number of tasks of the role that fit on a slot beside those there; negative if
   * these are too many.
   *
   * @param gpus the GPUs that the slot has free for the gang
   * @param cpu the CPU that its node has free for the gang
   * @param memory the host memory that its node has free for the gang
   */
  public int fitting(int slot, int role, int gpus, long cpu, long memory) {
    int node = nodeOf[slot];
    return requests[role].fitting(
        gpus - usedGpus[slot], cpu - usedCpu[node], memory - usedMemory[node]);
  }
}
