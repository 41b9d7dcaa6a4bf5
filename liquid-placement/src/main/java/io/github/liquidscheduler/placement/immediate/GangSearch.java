package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the narrowest domain that holds a gang: single nodes first, then the levels above, up
 * to the required one. At each level the domain with the least room that is enough comes first, so
 * that large free domains stay whole. Domains and nodes come from buckets of the index; those that
 * cannot hold the gang by their count of free GPUs are not looked at.
 */
final class GangSearch {

  private final CapacityIndex index;
  private final GangShape gang;
  private final GangFill fill;
  private final int widest;

  /**
   * Makes a search.
   *
   * @param widest the position in {@link ClusterTopology#levels()} of the widest level allowed
   */
  GangSearch(CapacityIndex index, GangShape gang, int widest) {
    this.index = index;
    this.gang = gang;
    this.widest = widest;
    fill = new GangFill(index, gang);
  }

  /** Returns a placement, or null if there is none. */
  @Nullable Placement find() {
    if (gang.wholeGpus() > index.freeGpus() || !gang.allowsAnyNode()) {
      return null;
    }
    for (List<GpuPool> pools : gang.choices(index.pools())) {
      @Nullable Placement placement = find(pools);
      if (placement != null) {
        return placement;
      }
    }
    return null;
  }

  private @Nullable Placement find(List<GpuPool> pools) {
    int free = 0;
    for (GpuPool pool : pools) {
      free += pool.freeGpus();
    }
    if (gang.wholeGpus() > free) {
      return null;
    }
    int nodeLevel = index.topology().levels().size() - 1;
    int narrowest = gang.narrowestLevel();
    @Nullable Placement placement =
        gang.isOneShare() || narrowest < nodeLevel ? null : onOneNode(pools);
    for (int level = Math.min(narrowest, nodeLevel - 1);
        placement == null && level >= widest;
        level--) {
      placement =
          pools.size() == 1 ? inDomain(pools.get(0), pools, level) : inAnyDomain(pools, level);
    }
    return placement;
  }

  private @Nullable Placement onOneNode(List<GpuPool> pools) {
    for (GpuPool pool : pools) {
      for (int free = (int) Math.min(gang.wholeGpus(), Integer.MAX_VALUE);
          free <= pool.maxFree();
          free++) {
        @Nullable Placement placement = onOneNode(pool, free, pools);
        if (placement != null) {
          return placement;
        }
      }
    }
    return null;
  }

  private @Nullable Placement onOneNode(GpuPool pool, int free, List<GpuPool> pools) {
    int slot = pool.next(free, 0, pool.size(), gang.cpu(), gang.memory());
    while (slot >= 0) {
      int node = pool.nodeOf(slot);
      if (gang.allows(node)
          && index.freeCpu(node) >= gang.cpu()
          && index.freeMemory(node) >= gang.memory()) {
        @Nullable Placement placement = fill.fill(new NodeRange(node, node + 1), pools);
        if (placement != null) {
          return placement;
        }
      }
      slot = pool.next(free, slot + 1, pool.size(), gang.cpu(), gang.memory());
    }
    return null;
  }

  private @Nullable Placement inDomain(GpuPool pool, List<GpuPool> pools, int level) {
    DomainLevel domains = pool.levels().get(level);
    TaskShape hardest = gang.tasks().get(0);
    int count = hardest.isShare() ? 0 : hardest.role().count();
    int gpus = (int) Math.min(gang.wholeGpus(), Integer.MAX_VALUE);
    for (int domain = domains.next(gpus, -1); domain >= 0; domain = domains.next(gpus, domain)) {
      if (domains.tasks(domain, hardest.gpus(), count) >= count) {
        @Nullable Placement placement = fill.fill(domains.nodes(domain), pools);
        if (placement != null) {
          return placement;
        }
      }
    }
    return null;
  }

  private @Nullable Placement inAnyDomain(List<GpuPool> pools, int level) {
    for (NodeRange nodes : index.nodesOf(level)) {
      @Nullable Placement placement = fill.fill(nodes, pools);
      if (placement != null) {
        return placement;
      }
    }
    return null;
  }
}
