package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.LinkUsage;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.PhysicalCost.JobCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.network.Traffic;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a gang by the physical network model, as if it were alone on its links; contention is
 * in {@link LinkContention}. All tasks on one node cost the same on each node with the same NVLink,
 * and are evaluated once.
 */
final class PhysicalGangCost implements GangNetworkCost {

  private final Shared shared;
  private final JobSpec job;
  private final Traffic traffic;
  private final JobCost jobCost;
  private final TaskCounts counts;
  private final long[] onOneNode;
  private long hint = -1;
  private LinkContention.Usage usageHint = LinkContention.Usage.NONE;

  /**
   * What the costs of all gangs of a problem have in common.
   *
   * @param least to bound them with
   * @param used to note link usage in; null if contention does not count
   */
  record Shared(
      SlotTable slotTable,
      NetworkModel model,
      LeastSeconds least,
      @Nullable LinkUsage used,
      double scale) {}

  /**
   * Makes the cost of a gang.
   *
   * @param counts to count in
   */
  PhysicalGangCost(Shared shared, JobSpec job, TaskCounts counts) {
    this.shared = shared;
    this.job = job;
    this.counts = counts;
    traffic = Traffic.of(job);
    jobCost = PhysicalCost.of(shared.model, LinkLoads.none(shared.model)).forJob(job);
    onOneNode = new long[shared.slotTable.nvlinks];
    Arrays.fill(onOneNode, -1);
  }

  @Override
  public long of(int[] slots, int[] byRole, int size) {
    if (size > 1) {
      return cost(slots, byRole, size);
    }
    int nvlink = shared.slotTable.nvlinkOfNode[shared.slotTable.node[slots[0]]];
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
    return (long) Math.floor(shared.least.of(job) * shared.scale);
  }

  @Override
  public LinkContention.Usage usage(int[] slots, int[] byRole, int size) {
    @Nullable LinkUsage used = shared.used;
    if (used == null) {
      return LinkContention.Usage.NONE;
    }
    count(slots, byRole, size);
    used.note(shared.model, traffic, counts);
    LinkContention.Usage usage = LinkContention.Usage.of(used);
    usageHint = usageHint.links().length == 0 ? usage : usageHint;
    return usage;
  }

  @Override
  public LinkContention.Usage usageHint() {
    return usageHint;
  }

  private long cost(int[] slots, int[] byRole, int size) {
    count(slots, byRole, size);
    long units = Math.round(jobCost.of(counts) * shared.scale);
    if (hint < 0 && size > 1) {
      hint = Math.max(1, units / job.tasks());
    }
    return units;
  }

  private void count(int[] slots, int[] byRole, int size) {
    counts.clear();
    shared.slotTable.count(slots, byRole, size, counts);
  }
}
