package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What running jobs hold that may leave, summed up for each of their ranks with all higher ones, as
 * they come and go: so what may be taken above a rank need not be counted. A job that comes or goes
 * costs its nodes times the ranks. Of jobs of more than {@value #MOST_RANKS} ranks nothing is kept.
 * Not thread-safe.
 */
public final class CapacityByRank {

  private static final int MOST_RANKS = 16;

  private final ClusterTopology topology;
  private final NavigableMap<Long, Sum> atOrAbove = new TreeMap<>();
  private boolean isKept = true;
  private NodeSet.@Nullable Amounts nothing;

  /** What jobs of a rank and of all higher ones hold. */
  private static final class Sum {
    private final NodeSet.Amounts held;
    private int ofRank;

    Sum(NodeSet.Amounts held) {
      this.held = held;
    }
  }

  /** Makes the room of a cluster in which no job runs that may leave. */
  public CapacityByRank(ClusterTopology topology) {
    this.topology = topology;
  }

  /** Returns the cluster by whose positions nodes are named. */
  public ClusterTopology topology() {
    return topology;
  }

  /** Returns false if the jobs had too many ranks, so that nothing is known. */
  public boolean isKept() {
    return isKept;
  }

  /** Adds a job of a rank. */
  public void add(long rank, NodeSet held) {
    if (isKept && !atOrAbove.containsKey(rank)) {
      begin(rank);
    }
    if (isKept) {
      change(rank, held, 1);
    }
  }

  private void begin(long rank) {
    if (atOrAbove.size() == MOST_RANKS) {
      atOrAbove.clear();
      isKept = false;
      return;
    }
    Map.@Nullable Entry<Long, Sum> higher = atOrAbove.higherEntry(rank);
    atOrAbove.put(
        rank,
        higher == null
            ? new Sum(new NodeSet.Amounts(topology.nodes().size()))
            : new Sum(higher.getValue().held.copy()));
  }

  /** Takes away a job that was added. */
  public void remove(long rank, NodeSet held) {
    if (isKept) {
      change(rank, held, -1);
    }
  }

  private void change(long rank, NodeSet held, int sign) {
    atOrAbove.headMap(rank, true).values().forEach(sum -> held.addTo(sum.held, sign));
    Sum own = Objects.requireNonNull(atOrAbove.get(rank));
    own.ofRank += sign;
    if (own.ofRank == 0) {
      atOrAbove.remove(rank);
    }
  }

  /**
   * Returns what there is free, and held by jobs above a rank; valid until a job comes or goes, and
   * not to be changed.
   */
  public ClusterCapacity above(long rank, CapacityIndex index) {
    Map.@Nullable Entry<Long, Sum> higher = atOrAbove.higherEntry(rank);
    return higher == null
        ? ClusterCapacity.whereNobodyLeaves(index, nothing())
        : ClusterCapacity.whereJobsLeave(index, higher.getValue().held);
  }

  private NodeSet.Amounts nothing() {
    NodeSet.@Nullable Amounts known = nothing;
    if (known == null) {
      known = new NodeSet.Amounts(topology.nodes().size());
      nothing = known;
    }
    return known;
  }

  /**
   * Returns the same in a cluster whose nodes stand elsewhere; no job that may leave is on one that
   * is not there.
   */
  public CapacityByRank in(ClusterTopology changed) {
    CapacityByRank moved = new CapacityByRank(changed);
    moved.isKept = isKept;
    int[] before = new int[changed.nodes().size()];
    for (int node = 0; node < before.length; node++) {
      before[node] = NodeSet.position(changed, node, topology);
    }
    atOrAbove.forEach(
        (rank, sum) -> {
          Sum same = new Sum(sum.held.moved(before, topology, changed));
          same.ofRank = sum.ofRank;
          moved.atOrAbove.put(rank, same);
        });
    return moved;
  }
}
