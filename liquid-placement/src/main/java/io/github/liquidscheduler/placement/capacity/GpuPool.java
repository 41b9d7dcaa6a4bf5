package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: one bitmap of slots for each number of free GPUs, and ten for the largest free share, so
 * that the fullest node with enough is the next bit of the first bucket that has one. Blocks of 64
 * slots carry upper bounds of free CPU and memory, so that starved nodes are skipped together.
 * Invariants: a slot that is up is in exactly the bucket of its free GPUs; block bounds are never
 * below the true amounts; levels sum up the same slots (GpuPoolLaws).
 * Cost: set O(levels + log64 slots); next O(log64 slots) for each block skipped; tighten O(64);
 * memory O(slots x GPUs per node / 64) words.
 */
/**
 * All GPUs of one model and memory size, by their nodes; nodes without GPUs form a pool of their
 * own. The part of a node in the pool is a <em>slot</em>; slots are in the order of the topology's
 * nodes, so that those of a domain are adjacent.
 */
public final class GpuPool {

  /** The whole of a GPU, in thousandths. */
  public static final int WHOLE = 1000;

  private static final int SHARE_STEPS = 10;

  private final @Nullable GpuModel model;
  private final Memory memory;
  private final int[] nodeOf;
  private final int[] slotFrom;
  private final int maxFree;
  private final int[] free;
  private final int[] partial;
  private final SlotSet[] byFree;
  private final SlotSet[] byPartial;
  private final long[] blockCpu;
  private final long[] blockMemory;
  private final List<DomainLevel> levels;
  private boolean isSummedUp;

  /**
   * Makes a pool in which no node is up, and which has to be {@linkplain #sumUp summed up} when all
   * have entered.
   *
   * @param model the model, or null for nodes without GPUs
   * @param memory the device memory of each GPU
   * @param nodeOf the node position of each slot, ascending
   * @param maxFree the largest number of GPUs of the pool on one node
   * @param levels the topology levels, the cluster first
   */
  GpuPool(
      @Nullable GpuModel model,
      Memory memory,
      int[] nodeOf,
      int maxFree,
      List<DomainLevel> levels) {
    this.model = model;
    this.memory = memory;
    this.nodeOf = nodeOf;
    slotFrom = slotFrom(nodeOf);
    this.maxFree = maxFree;
    this.levels = levels;
    free = new int[nodeOf.length];
    Arrays.fill(free, -1);
    partial = new int[nodeOf.length];
    byFree = new SlotSet[maxFree + 1];
    Arrays.setAll(byFree, count -> new SlotSet(nodeOf.length));
    byPartial = new SlotSet[SHARE_STEPS];
    Arrays.setAll(byPartial, step -> new SlotSet(nodeOf.length));
    blockCpu = new long[(nodeOf.length + 63) >>> 6];
    blockMemory = new long[blockCpu.length];
  }

  private GpuPool(GpuPool other) {
    model = other.model;
    memory = other.memory;
    nodeOf = other.nodeOf;
    slotFrom = other.slotFrom;
    maxFree = other.maxFree;
    levels = other.levels.stream().map(DomainLevel::copy).toList();
    isSummedUp = other.isSummedUp;
    free = other.free.clone();
    partial = other.partial.clone();
    byFree = new SlotSet[other.byFree.length];
    Arrays.setAll(byFree, count -> other.byFree[count].copy());
    byPartial = new SlotSet[other.byPartial.length];
    Arrays.setAll(byPartial, step -> other.byPartial[step].copy());
    blockCpu = other.blockCpu.clone();
    blockMemory = other.blockMemory.clone();
  }

  /** Returns the first slot at or after each node, up to the last node that has one. */
  private static int[] slotFrom(int[] nodeOf) {
    int[] slots = new int[nodeOf.length == 0 ? 0 : nodeOf[nodeOf.length - 1] + 1];
    int slot = 0;
    for (int node = 0; node < slots.length; node++) {
      slots[node] = slot;
      slot += nodeOf[slot] == node ? 1 : 0;
    }
    return slots;
  }

  GpuPool copy() {
    return new GpuPool(this);
  }

  /** Returns the model, or empty for the nodes without GPUs. */
  public Optional<GpuModel> model() {
    return Optional.ofNullable(model);
  }

  /** Returns true if these are GPUs of a model that the job may use. */
  public boolean isAllowedTo(JobSpec job) {
    return model != null && (job.gpuModels().isEmpty() || job.gpuModels().contains(model));
  }

  /** Returns the device memory of each GPU. */
  public Memory memory() {
    return memory;
  }

  /** Returns the number of slots. */
  public int size() {
    return nodeOf.length;
  }

  /** Returns the largest number of GPUs of the pool on one node. */
  public int maxFree() {
    return maxFree;
  }

  /** Returns the position of the slot's node. */
  public int nodeOf(int slot) {
    return nodeOf[slot];
  }

  /** Returns the number of wholly free GPUs of the slot, or -1 if its node is not up. */
  public int free(int slot) {
    return free[slot];
  }

  /** Returns an upper bound of the GPUs of the slot that have this share free. */
  public int mostWith(int share, int slot) {
    int whole = Math.max(free[slot], 0);
    return partial[slot] >= share ? Math.max(whole, maxFree) : whole;
  }

  /** Returns the number of wholly free GPUs of the pool. */
  public int freeGpus() {
    return levels.get(0).free(0);
  }

  /** Returns the levels, the cluster first; the level of single nodes is the slots themselves. */
  public List<DomainLevel> levels() {
    return levels;
  }

  /** Returns the first slot whose node is in or after the range. */
  public int firstSlot(NodeRange range) {
    return firstSlot(range.first());
  }

  /** Returns the first slot whose node is at this position or after it. */
  public int firstSlot(int node) {
    return node < slotFrom.length ? slotFrom[node] : nodeOf.length;
  }

  /** Returns the slot after the last whose node is in the range. */
  public int endSlot(NodeRange range) {
    return firstSlot(range.end());
  }

  /**
   * Returns the next slot from {@code from} and before {@code end} that has exactly {@code
   * freeGpus} free GPUs and, by the bounds of its block, the CPU and memory requested; -1 if there
   * is none.
   */
  public int next(int freeGpus, int from, int end, long cpu, long memory) {
    return next(byFree[freeGpus], from, end, cpu, memory);
  }

  /**
   * Returns the next slot from {@code from} and before {@code end} with a partly held GPU whose
   * free share is in step {@code step} of {@link #shareSteps()}; -1 if there is none.
   */
  public int nextPartial(int step, int from, int end, long cpu, long memory) {
    return next(byPartial[step], from, end, cpu, memory);
  }

  /** Returns the number of steps into which free shares are sorted. */
  public int shareSteps() {
    return SHARE_STEPS;
  }

  /** Returns the step of a free share in thousandths, from 1 to 999. */
  public int shareStep(int thousandths) {
    return thousandths * SHARE_STEPS / 1000;
  }

  /** Sets the free GPUs of a slot; -1 if its node is not up. */
  void set(int slot, int freeGpus, int largestPartial) {
    int before = free[slot];
    if (before != freeGpus) {
      change(slot, before, freeGpus);
    }
    if (partial[slot] != largestPartial) {
      changePartial(slot, largestPartial);
    }
  }

  /** Raises the bounds of the slot's block to at least these amounts. */
  void raise(int slot, long cpu, long memory) {
    int block = slot >>> 6;
    blockCpu[block] = Math.max(blockCpu[block], cpu);
    blockMemory[block] = Math.max(blockMemory[block], memory);
  }

  /** Sums up the slots in the levels, and sets the bounds of all blocks to the amounts free now. */
  void sumUp(long[] freeCpu, long[] freeMemory) {
    levels.forEach(level -> level.sumUp(free));
    isSummedUp = true;
    for (int slot = 0; slot < nodeOf.length; slot += 64) {
      tighten(slot, freeCpu, freeMemory);
    }
  }

  /** Sets the bounds of the slot's block to the amounts free now. */
  void tighten(int slot, long[] freeCpu, long[] freeMemory) {
    int block = slot >>> 6;
    long cpu = 0;
    long most = 0;
    for (int s = block << 6; s < Math.min(nodeOf.length, (block + 1) << 6); s++) {
      cpu = Math.max(cpu, freeCpu[nodeOf[s]]);
      most = Math.max(most, freeMemory[nodeOf[s]]);
    }
    blockCpu[block] = cpu;
    blockMemory[block] = most;
  }

  private int next(SlotSet set, int from, int end, long cpu, long memory) {
    int slot = set.next(from, end);
    while (slot >= 0 && (blockCpu[slot >>> 6] < cpu || blockMemory[slot >>> 6] < memory)) {
      slot = set.next(((slot >>> 6) + 1) << 6, end);
    }
    return slot;
  }

  private void change(int slot, int before, int now) {
    if (before >= 0) {
      byFree[before].remove(slot);
    }
    if (now >= 0) {
      byFree[now].add(slot);
    }
    free[slot] = now;
    for (int level = 0; isSummedUp && level < levels.size(); level++) {
      levels.get(level).change(slot, before, now);
    }
  }

  private void changePartial(int slot, int now) {
    if (partial[slot] > 0) {
      byPartial[shareStep(partial[slot])].remove(slot);
    }
    if (now > 0) {
      byPartial[shareStep(now)].add(slot);
    }
    partial[slot] = now;
  }
}
