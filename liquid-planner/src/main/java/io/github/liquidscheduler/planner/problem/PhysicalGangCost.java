package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.LinkUsage;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.PlacementCost.JobCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.network.Traffic;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a gang by the physical network model, as if it were alone on its links; contention is
 * in {@link LinkContention}. All tasks on one node cost the same on each node with the same NVLink,
 * and are evaluated once.
 */
final class PhysicalGangCost implements GangNetworkCost {

  private final SlotTable slotTable;
  private final NetworkModel model;
  private final LeastSeconds least;
  private final JobSpec job;
  private final Traffic traffic;
  private final JobCost jobCost;
  private final TaskCounts counts;
  private final @Nullable LinkUsage used;
  private final int roles;
  private final double scale;
  private final long[] onOneNode;
  private long hint = -1;
  private LinkContention.Usage usageHint = LinkContention.Usage.NONE;

  /**
   * Makes the cost of a gang.
   *
   * @param least to bound it with
   * @param counts to count in
   * @param used to note link usage in; null if contention does not count
   */
  PhysicalGangCost(
      SlotTable slotTable,
      NetworkModel model,
      LeastSeconds least,
      JobSpec job,
      TaskCounts counts,
      @Nullable LinkUsage used,
      double scale) {
    this.slotTable = slotTable;
    this.model = model;
    this.least = least;
    this.job = job;
    this.counts = counts;
    this.used = used;
    traffic = Traffic.of(job);
    jobCost = PhysicalCost.of(model, LinkLoads.none(model)).forJob(job);
    roles = job.roles().size();
    this.scale = scale;
    onOneNode = new long[slotTable.nvlinks];
    java.util.Arrays.fill(onOneNode, -1);
  }

  @Override
  public long of(int[] slots, int[] byRole, int size) {
    if (size > 1) {
      return cost(slots, byRole, size);
    }
    int nvlink = slotTable.nvlinkOfNode[slotTable.node[slots[0]]];
    if (onOneNode[nvlink] < 0) {
      onOneNode[nvlink] = cost(slots, byRole, size);
    }
    return onOneNode[nvlink];
  }

  @Override
  public long pairHint() {
    return Math.max(hint, 0);
  }

  @Override
  public long least() {
    return (long) Math.floor(least.of(job) * scale);
  }

  @Override
  public long leastPair() {
    return 0;
  }

  @Override
  public LinkContention.Usage usage(int[] slots, int[] byRole, int size) {
    if (used == null) {
      return LinkContention.Usage.NONE;
    }
    count(slots, byRole, size);
    used.note(model, traffic, counts);
    LinkContention.Usage usage = LinkContention.Usage.of(used);
    usageHint = usageHint.links().length == 0 ? usage : usageHint;
    return usage;
  }

  @Override
  public LinkContention.Usage usageHint() {
    return usageHint;
  }

  private long cost(int[] slots, int[] byRole, int size) {
    int tasks = count(slots, byRole, size);
    long units = Math.round(jobCost.of(counts) * scale);
    if (hint < 0 && size > 1) {
      hint = Math.max(1, units / tasks);
    }
    return units;
  }

  private int count(int[] slots, int[] byRole, int size) {
    counts.clear();
    int tasks = 0;
    for (int i = 0; i < size; i++) {
      for (int role = 0; role < roles; role++) {
        int count = byRole[i * roles + role];
        if (count > 0) {
          counts.add(slotTable.node[slots[i]], role, count);
          tasks += count;
        }
      }
    }
    return tasks;
  }
}
