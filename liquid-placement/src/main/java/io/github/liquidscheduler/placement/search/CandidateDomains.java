package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.FeasibleNodes;
import io.github.liquidscheduler.placement.gang.FirstFitCollector;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The domains in which a gang that has a place somewhere is given a better one: the tightest of the
 * narrowest level that holds it, fewer of each wider level that is allowed.
 */
final class CandidateDomains {

  private static final int DOMAINS_OF_NARROWEST_LEVEL = 24;
  private static final int DOMAINS_OF_ANY_LEVEL = 3;

  /** The nodes looked at: so many, more for gangs of many nodes, and at most so many. */
  private static final int FEW_HOSTS = 512;

  private static final int HOSTS_FOR_A_NODE = 16;
  private static final int MANY_HOSTS = 1024;

  private final CapacityIndex index;
  private final GangShape gang;
  private final List<Picks.Pick> start;
  private final List<GpuPool> pools;
  private final List<NodeRange> ranges = new ArrayList<>();
  private final int widest;

  /**
   * Finds the domains.
   *
   * @param first the first place found, in a domain of the narrowest level that has room
   * @param widest the position of the widest level that is allowed
   */
  CandidateDomains(CapacityIndex index, GangShape gang, FirstFitCollector first, int widest) {
    this.index = index;
    this.gang = gang;
    start = first.picks();
    pools =
        start.stream()
            .filter(pick -> pick.task().gpus() > 0 || gang.wholeGpus() == 0)
            .map(Picks.Pick::pool)
            .distinct()
            .toList();
    int narrowest = levelOf(first.range());
    boolean isPreferred = gang.preferredLevel() >= 0 && narrowest >= gang.preferredLevel();
    this.widest = isPreferred ? Math.max(widest, gang.preferredLevel()) : widest;
    int most = DOMAINS_OF_NARROWEST_LEVEL;
    for (int level = narrowest; level >= this.widest; level--) {
      addDomains(level, most);
      most = Math.max(DOMAINS_OF_ANY_LEVEL, most / 4);
    }
  }

  private int levelOf(NodeRange range) {
    int level = index.topology().levels().size() - 2;
    while (level > 0 && !index.nodesOf(level).contains(range)) {
      level--;
    }
    return level;
  }

  private void addDomains(int level, int most) {
    if (pools.size() > 1 || gang.wholeGpus() == 0) {
      ranges.add(around(start.getFirst().node(), level));
      return;
    }
    DomainLevel domains = pools.getFirst().levels().get(level);
    TaskShape hardest = gang.tasks().getFirst();
    int count = hardest.role().count();
    int gpus = (int) Math.min(gang.wholeGpus(), Integer.MAX_VALUE);
    int before = ranges.size();
    for (int domain = domains.next(gpus, -1);
        domain >= 0 && ranges.size() < before + most;
        domain = domains.next(gpus, domain)) {
      if (domains.tasks(domain, hardest.gpus(), count) >= count) {
        ranges.add(domains.nodes(domain));
      }
    }
  }

  /** Returns the domains, those of narrow levels first, and tight ones first among them. */
  List<NodeRange> ranges() {
    return ranges;
  }

  /** Returns the widest domain around a node that the gang may spread over. */
  NodeRange widestAround(int node) {
    return around(node, widest);
  }

  private NodeRange around(int node, int level) {
    for (int wider = level; wider > 0; wider--) {
      for (NodeRange range : index.nodesOf(wider)) {
        if (range.contains(node)) {
          return range;
        }
      }
    }
    return new NodeRange(0, index.topology().nodes().size());
  }

  /** Returns nodes in these domains, those with much room first if there are many. */
  FeasibleNodes feasibleNodes(IncrementalCost cost) {
    int most =
        Math.max(FEW_HOSTS, Math.min(MANY_HOSTS, HOSTS_FOR_A_NODE * start.size())) + start.size();
    Gathering gathering = new Gathering(most);
    for (Picks.Pick pick : start) {
      gathering.add(pick.node(), pools.indexOf(pick.pool()));
    }
    ranges.forEach(gathering::add);
    return new FeasibleNodes(index, cost, pools, gathering.found());
  }

  /** Collects nodes with the pools whose GPUs they have. */
  private final class Gathering {
    private final BitSet known = new BitSet();
    private final long leastCpu = gang.tasks().stream().mapToLong(TaskShape::cpu).min().orElse(0);
    private final long leastMemory =
        gang.tasks().stream().mapToLong(TaskShape::memory).min().orElse(0);
    private final long[] found;
    private int size;

    Gathering(int most) {
      found = new long[most];
    }

    void add(int node, int pool) {
      if (pool >= 0 && size < found.length && !known.get(node)) {
        known.set(node);
        found[size++] = ((long) node << 32) | pool;
      }
    }

    void add(NodeRange range) {
      for (int i = 0; i < pools.size(); i++) {
        GpuPool pool = pools.get(i);
        int end = pool.endSlot(range);
        int first = pool.firstSlot(range);
        for (int free = pool.maxFree(); free >= fewestGpus(); free--) {
          int slot = next(pool, free, first, end);
          while (slot >= 0 && size < found.length) {
            if (hasRoom(pool, slot)) {
              add(pool.nodeOf(slot), i);
            }
            slot = next(pool, free, slot + 1, end);
          }
        }
      }
    }

    private int next(GpuPool pool, int free, int from, int end) {
      return pool.next(free, gang.firstAllowed(pool, from), end, leastCpu, leastMemory);
    }

    private int fewestGpus() {
      return gang.tasks().getLast().gpus();
    }

    private boolean hasRoom(GpuPool pool, int slot) {
      if (!gang.allows(pool.nodeOf(slot))) {
        return false;
      }
      for (TaskShape task : gang.tasks()) {
        if (task.fitting(index, pool, slot, 1) > 0) {
          return true;
        }
      }
      return false;
    }

    long[] found() {
      long[] sorted = Arrays.copyOf(found, size);
      Arrays.sort(sorted);
      return sorted;
    }
  }
}
