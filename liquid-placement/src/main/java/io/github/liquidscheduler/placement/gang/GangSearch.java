package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Looks for domains that hold a gang: single nodes first, then the levels above, up to the required
 * one. At each level the domain with the least room that is enough comes first, so that large free
 * domains stay whole. Domains and nodes come from buckets of the index; those that cannot hold the
 * gang by their count of free GPUs are not looked at. A verdict on each place found says how far to
 * look; what is found on one node, or within the preferred level, is never traded for less.
 */
public final class GangSearch {

  private final CapacityIndex index;
  private final GangShape gang;
  private final PlacementCollector verdict;
  private final GangFill fill;
  private final int widest;
  private final int preferred;
  private boolean found;

  /**
   * Makes a search.
   *
   * @param widest the position in {@link ClusterTopology#levels()} of the widest level allowed
   */
  public GangSearch(CapacityIndex index, GangShape gang, int widest, PlacementCollector verdict) {
    this.index = index;
    this.gang = gang;
    this.widest = widest;
    this.verdict = verdict;
    preferred = gang.preferredLevel();
    fill = new GangFill(index, gang, verdict);
  }

  /** Shows the verdict the places found, if there are any. */
  public void run() {
    if (gang.wholeGpus() > index.freeGpus() || !gang.allowsAnyNode()) {
      return;
    }
    for (List<GpuPool> pools : gang.choices(index.pools())) {
      search(pools);
      if (found) {
        return;
      }
    }
  }

  private void search(List<GpuPool> pools) {
    int free = 0;
    for (GpuPool pool : pools) {
      free += pool.freeGpus();
    }
    int narrowest = gang.narrowestLevel();
    if (gang.wholeGpus() > free || (isForOneNode(narrowest) && isOnOneNode(pools))) {
      return;
    }
    int last = widest;
    for (int level = Math.min(narrowest, nodeLevel() - 1); level >= last; level--) {
      boolean over =
          pools.size() == 1
              ? isOverAfter(pools.get(0), pools, level)
              : isOverAfterAll(pools, level);
      if (over || (found && (level == preferred || !verdict.isWiderLevelWorthALook()))) {
        return;
      }
      last = found ? Math.max(last, level - 1) : last;
    }
  }

  private boolean isForOneNode(int narrowest) {
    return !gang.isOneShare() && narrowest == nodeLevel();
  }

  private int nodeLevel() {
    return index.topology().levels().size() - 1;
  }

  private boolean isOnOneNode(List<GpuPool> pools) {
    for (GpuPool pool : pools) {
      for (int free = (int) Math.min(gang.wholeGpus(), Integer.MAX_VALUE);
          free <= pool.maxFree();
          free++) {
        if (isOnOneNode(pool, free, pools)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isOnOneNode(GpuPool pool, int free, List<GpuPool> pools) {
    int slot = nextAllowed(pool, free, 0);
    while (slot >= 0) {
      int node = pool.nodeOf(slot);
      if (gang.allows(node)
          && index.freeCpu(node) >= gang.cpu()
          && index.freeMemory(node) >= gang.memory()) {
        isOverAfter(new NodeRange(node, node + 1), nodeLevel(), pools);
        if (found) {
          return true;
        }
      }
      slot = nextAllowed(pool, free, slot + 1);
    }
    return false;
  }

  private int nextAllowed(GpuPool pool, int free, int from) {
    int first = gang.firstAllowed(pool, from);
    return pool.next(free, first, pool.size(), gang.cpu(), gang.memory());
  }

  private boolean isOverAfter(GpuPool pool, List<GpuPool> pools, int level) {
    DomainLevel domains = pool.levels().get(level);
    TaskShape hardest = gang.tasks().get(0);
    int count = hardest.isShare() ? 0 : hardest.role().count();
    int gpus = (int) Math.min(gang.wholeGpus(), Integer.MAX_VALUE);
    int looked = 0;
    for (int domain = domains.next(gpus, -1); domain >= 0; domain = domains.next(gpus, domain)) {
      if (domains.tasks(domain, hardest.gpus(), count) >= count) {
        if (isOverAfter(domains.nodes(domain), level, pools)) {
          return true;
        }
        if (found && ++looked >= verdict.domainsWorthALook()) {
          return false;
        }
      }
    }
    return false;
  }

  private boolean isOverAfterAll(List<GpuPool> pools, int level) {
    for (NodeRange nodes : index.nodesOf(level)) {
      if (isOverAfter(nodes, level, pools)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Fills the range from each choice of nodes, the first of which is all of them, and returns
   * whether the search is over.
   */
  private boolean isOverAfter(NodeRange range, int level, List<GpuPool> pools) {
    boolean fits = false;
    for (IntPredicate nodes : verdict.nodeChoices()) {
      GangFill.Outcome outcome = fill.fill(range, level, pools, nodes);
      fits |= outcome != GangFill.Outcome.NO_ROOM;
      found |= fits;
      if (!fits || outcome == GangFill.Outcome.FINAL) {
        return fits;
      }
    }
    return false;
  }
}
