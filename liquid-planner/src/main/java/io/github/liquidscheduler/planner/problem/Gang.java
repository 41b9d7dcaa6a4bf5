package io.github.liquidscheduler.planner.problem;

import static com.google.common.math.LongMath.saturatedAdd;
import static com.google.common.math.LongMath.saturatedMultiply;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A job in arrays, at one size: what its tasks request, by role, and where they may go. A job that
 * may have several sizes is several gangs. The arrays are shared with the hot loops of the search
 * and never changed.
 */
public final class Gang {

  /** The loss of a pool that may not be used. */
  public static final int FORBIDDEN = Integer.MAX_VALUE;

  /** Its position among the gangs of the problem, from 0. */
  public final int id;

  /** The job that it stands for. */
  public final JobSpec job;

  /** The number of roles of the job, at least 1. */
  public final int roles;

  /** What a task of each role requests. */
  public final TaskShape[] requests;

  /** The number of tasks of each role. */
  public final int[] count;

  /** The GPUs that a task of each role requests; 0 if none. */
  public final int[] gpus;

  /** The CPU that a task of each role requests, in millicores; 0 if none. */
  public final long[] cpu;

  /** The host memory that a task of each role requests, in bytes; 0 if none. */
  public final long[] memory;

  /** The number of tasks of all roles. */
  public final int tasks;

  /** The GPUs that all tasks request together, at least 1. */
  public final int totalGpus;

  /** The CPU that all tasks request together, in millicores, at most {@link Long#MAX_VALUE}. */
  public final long totalCpu;

  /** The host memory that all tasks request together, in bytes, at most {@link Long#MAX_VALUE}. */
  public final long totalMemory;

  /** Whether any task requests CPU or host memory. */
  public final boolean asksOfHost;

  /** The largest number of GPUs of a task. */
  public final int largestTask;

  /**
   * What running on each pool loses, in {@linkplain PoolLoss#PREFERENCE parts} of a preference
   * violated, the best 0; {@link #FORBIDDEN} if it may not be used.
   */
  public final int[] lossOfPool;

  final boolean isRanked;

  /** Whether it has one role and requests GPUs only, on whatever node. */
  public final boolean isPlain;

  final @Nullable BitSet nodes;
  private final @Nullable BitSet[] nodesOfRoles;

  /** The level whose one domain must hold all; 0 if any. */
  public final int required;

  /** The level whose one domain should hold all; -1 if none. */
  final int preferred;

  /** The admission weight. */
  final long weight;

  /** The class of its interference with tasks of other jobs. */
  public final int interferenceClass;

  /** Where it runs if it runs already, else {@link GangAssignment#UNASSIGNED}. */
  public GangAssignment home = GangAssignment.UNASSIGNED;

  /** What leaving home costs. */
  public long migrationCost;

  /** The gangs that stand for the same job at other sizes; of all of them one is placed at most. */
  public int[] others = {};

  /** Whether it stands for a job at a smaller size than preferred. */
  public final boolean isSmaller;

  Gang(
      int id,
      JobSpec job,
      Terms terms,
      int[] lossOfPool,
      @Nullable BitSet nodes,
      @Nullable BitSet[] nodesOfRoles) {
    this.id = id;
    this.job = job;
    this.lossOfPool = lossOfPool;
    this.nodes = nodes;
    this.nodesOfRoles = nodesOfRoles;
    roles = job.roles().size();
    requests = job.roles().stream().map(TaskShape::of).toArray(TaskShape[]::new);
    count = job.roles().stream().mapToInt(role -> role.count()).toArray();
    gpus = Arrays.stream(requests).mapToInt(TaskShape::gpus).toArray();
    cpu = Arrays.stream(requests).mapToLong(TaskShape::cpu).toArray();
    memory = Arrays.stream(requests).mapToLong(TaskShape::memory).toArray();
    tasks = job.tasks();
    totalGpus = job.gpus();
    long cpuSum = 0;
    long memorySum = 0;
    int largest = 0;
    for (int role = 0; role < roles; role++) {
      cpuSum = saturatedAdd(cpuSum, saturatedMultiply(count[role], cpu[role]));
      memorySum = saturatedAdd(memorySum, saturatedMultiply(count[role], memory[role]));
      largest = Math.max(largest, gpus[role]);
    }
    totalCpu = cpuSum;
    totalMemory = memorySum;
    asksOfHost = totalCpu > 0 || totalMemory > 0;
    largestTask = largest;
    isRanked = Arrays.stream(lossOfPool).anyMatch(loss -> loss != 0 && loss != FORBIDDEN);
    isPlain = roles == 1 && gpus[0] > 0 && !asksOfHost && nodes == null;
    required = terms.required();
    preferred = terms.preferred();
    weight = terms.weight();
    interferenceClass = terms.interferenceClass();
    isSmaller = terms.isSmaller();
  }

  /** What the plan says of a job beside its shape. */
  record Terms(
      int required, int preferred, long weight, int interferenceClass, boolean isSmaller) {}

  /** Returns true if GPUs of the slot may be used. */
  public boolean allows(SlotTable slotTable, int slot) {
    return lossOfPool[slotTable.pool[slot]] != FORBIDDEN
        && slotTable.isUp[slot]
        && (nodes == null || nodes.get(slotTable.node[slot]));
  }

  /** Returns true if tasks of the role may be on the slot; those without GPUs on any node. */
  public boolean allows(SlotTable slotTable, int slot, int role) {
    int node = slotTable.node[slot];
    @Nullable BitSet ofRole = nodesOfRoles[role];
    if (ofRole != null && !ofRole.get(node)) {
      return false;
    }
    return gpus[role] > 0
        ? allows(slotTable, slot)
        : slotTable.isUp[slot]
            && slotTable.firstOfNode[node] == slot
            && (nodes == null || nodes.get(node));
  }

  /** Returns true if tasks of every role may be on the slot. */
  public boolean allowsAll(SlotTable slotTable, int slot) {
    if (isPlain) {
      return allows(slotTable, slot);
    }
    for (int role = 0; role < roles; role++) {
      if (!allows(slotTable, slot, role)) {
        return false;
      }
    }
    return true;
  }
}
