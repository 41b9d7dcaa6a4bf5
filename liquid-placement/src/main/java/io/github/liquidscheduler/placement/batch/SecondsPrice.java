package io.github.liquidscheduler.placement.batch;

import io.github.liquidscheduler.placement.network.PlacementCost.JobCost;
import io.github.liquidscheduler.placement.network.TaskCounts;

/**
 * Prices a place by the physical network model, as if the job were alone on its links. A place on
 * one node costs the same on each node of a pool and is priced once.
 */
final class SecondsPrice implements NetworkPrice {

  private final Grounds grounds;
  private final JobCost cost;
  private final TaskCounts counts;
  private final int roles;
  private final double scale;
  private final long[] onOneNode;
  private long hint = -1;

  SecondsPrice(Grounds grounds, JobCost cost, TaskCounts counts, int roles, double scale) {
    this.grounds = grounds;
    this.cost = cost;
    this.counts = counts;
    this.roles = roles;
    this.scale = scale;
    onOneNode = new long[grounds.pools.size()];
    java.util.Arrays.fill(onOneNode, -1);
  }

  @Override
  public long of(int[] slots, int[] byRole, int size) {
    if (size > 1) {
      return price(slots, byRole, size);
    }
    int pool = grounds.pool[slots[0]];
    if (onOneNode[pool] < 0) {
      onOneNode[pool] = price(slots, byRole, size);
    }
    return onOneNode[pool];
  }

  @Override
  public long pairHint() {
    return Math.max(hint, 0);
  }

  @Override
  public long leastPair() {
    return 0;
  }

  private long price(int[] slots, int[] byRole, int size) {
    counts.clear();
    int tasks = 0;
    for (int i = 0; i < size; i++) {
      for (int role = 0; role < roles; role++) {
        int count = byRole[i * roles + role];
        if (count > 0) {
          counts.add(grounds.node[slots[i]], role, count);
          tasks += count;
        }
      }
    }
    long price = Math.round(cost.of(counts) * scale);
    if (hint < 0 && size > 1) {
      hint = Math.max(1, price / tasks);
    }
    return price;
  }
}
