package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.GangSearch;
import io.github.liquidscheduler.placement.gang.GangSearch.Found;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/*
 * Idea: good placements are near the first one found: the domains that GangSearch would try next,
 * tight and narrow first, a quarter as many at each wider level; their nodes are gathered from the
 * emptiest bucket down, up to a fixed number.
 * Invariants: the nodes of the first placement are always among the hosts; what fits within the
 * preferred level stays there; limits are counts, so equal states give equal candidates.
 * Cost: O(domains looked at) plus O(GPUs per node) bucket look-ups for each; at most MANY_HOSTS
 * hosts plus those of the start, O(hosts log hosts) to sort.
 */
/**
 * The domains in which a better placement of a gang is searched for: the tightest of the narrowest
 * level that holds it, and fewer of each wider level allowed.
 */
final class CandidateDomains {

  /**
   * The nodes looked at: the first number, or the second for each node of the gang, up to the
   * third.
   */
  private static final int FEW_HOSTS = 512;

  private static final int HOSTS_FOR_A_NODE = 16;
  private static final int MANY_HOSTS = 1024;

  private final CapacityIndex index;
  private final GangShape gang;
  private final GangSearch search;
  private final Found start;
  private final List<Range> ranges = new ArrayList<>();
  private final int widest;
  private final boolean areNodes;

  /**
   * A domain, or a single node.
   *
   * @param level the position of its level
   */
  record Range(NodeRange nodes, int level) {}

  /**
   * The numbers of domains to look at.
   *
   * @param ofNarrowestLevel the number at the narrowest level that holds the gang
   * @param ofAnyLevel the least number at each wider level
   * @param singleNodes whether single nodes are a level too, looked at in full
   */
  record Limits(int ofNarrowestLevel, int ofAnyLevel, boolean singleNodes) {
    Limits withSingleNodes() {
      return new Limits(ofNarrowestLevel, ofAnyLevel, true);
    }
  }

  /** Finds the domains around the first placement found. */
  CandidateDomains(
      CapacityIndex index, GangShape gang, GangSearch search, Found start, Limits limits) {
    this.index = index;
    this.gang = gang;
    this.search = search;
    this.start = start;
    areNodes = limits.singleNodes() && start.isOnOneNode();
    int narrowest = areNodes ? search.nodeLevel() : start.level();
    int preferred = gang.topology().preferredLevel();
    boolean isPreferred = preferred >= 0 && narrowest >= preferred;
    widest = isPreferred ? Math.max(search.widestLevel(), preferred) : search.widestLevel();
    if (areNodes) {
      addNodes();
    }
    int most = limits.ofNarrowestLevel();
    for (int level = Math.min(narrowest, search.nodeLevel() - 1); level >= widest; level--) {
      addDomains(level, most);
      most = Math.max(limits.ofAnyLevel(), most / 4);
    }
  }

  private void addNodes() {
    search.firstNode(
        start.pools(), node -> add(new NodeRange(node, node + 1), search.nodeLevel(), MANY_HOSTS));
  }

  private void addDomains(int level, int most) {
    if (start.pools().size() > 1 || gang.tasks().getFirst().gpus() == 0) {
      ranges.add(new Range(around(start.picks().getFirst().node(), level), level));
    } else {
      int enough = ranges.size() + most;
      search.firstDomain(start.pools(), level, nodes -> add(nodes, level, enough));
    }
  }

  /** Adds a range, and returns it once there are enough. */
  private Optional<Range> add(NodeRange nodes, int level, int enough) {
    Range range = new Range(nodes, level);
    ranges.add(range);
    return ranges.size() < enough ? Optional.empty() : Optional.of(range);
  }

  /** Returns the domains, those of narrow levels first, and tight ones first among them. */
  List<Range> ranges() {
    return ranges;
  }

  /** Returns the widest domain around a node that the gang may spread over. */
  NodeRange widestAround(int node) {
    return around(node, widest);
  }

  private NodeRange around(int node, int level) {
    if (level == search.nodeLevel()) {
      return new NodeRange(node, node + 1);
    }
    for (int wider = level; wider > 0; wider--) {
      for (NodeRange range : index.nodesOf(wider)) {
        if (range.contains(node)) {
          return range;
        }
      }
    }
    return new NodeRange(0, index.topology().nodes().size());
  }

  /** Returns nodes in these domains, those with most capacity first if there are many. */
  FeasibleNodes feasibleNodes(IncrementalCost cost) {
    List<Picks.Pick> picks = start.picks();
    int least = areNodes ? MANY_HOSTS : FEW_HOSTS;
    int most =
        Math.max(least, Math.min(MANY_HOSTS, HOSTS_FOR_A_NODE * picks.size())) + picks.size();
    Gathering gathering = new Gathering(most);
    for (Picks.Pick pick : picks) {
      gathering.add(pick.node(), start.pools().indexOf(pick.pool()));
    }
    ranges.forEach(range -> gathering.add(range.nodes()));
    return new FeasibleNodes(index, cost, start.pools(), gathering.found());
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
      for (int i = 0; i < start.pools().size(); i++) {
        GpuPool pool = start.pools().get(i);
        int end = pool.endSlot(range);
        int first = pool.firstSlot(range);
        for (int free = pool.maxFree(); free >= fewestGpus(); free--) {
          int slot = next(pool, free, first, end);
          while (slot >= 0 && size < found.length) {
            if (holdsAny(pool, slot)) {
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

    private boolean holdsAny(GpuPool pool, int slot) {
      int node = pool.nodeOf(slot);
      if (!gang.allows(node)) {
        return false;
      }
      for (TaskShape task : gang.tasks()) {
        if (gang.allows(task, node)
            && task.fitting(pool.free(slot), index.freeCpu(node), index.freeMemory(node)) > 0) {
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
