package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The amounts that evictable running jobs hold on each node, summed over each rank and all higher
 * ones, so that the capacity a job may take needs no counting. Adding or removing a job costs O(its
 * nodes x ranks). Beyond {@value #MOST_RANKS} ranks nothing is kept. Not thread-safe.
 */
public final class CapacityByRank {

  private static final int MOST_RANKS = 16;

  private final ClusterTopology topology;
  private final NavigableMap<Long, Sum> atOrAbove = new TreeMap<>();
  private boolean isKept = true;
  private NodeSet.@Nullable Amounts nothing;

  /** Amounts held by the jobs of a rank and of all higher ones. */
  private static final class Sum {
    private final NodeSet.Amounts held;
    private int ofRank;

    Sum(NodeSet.Amounts held) {
      this.held = held;
    }
  }

  /** Makes the sums of a cluster without evictable jobs. */
  public CapacityByRank(ClusterTopology topology) {
    this.topology = topology;
  }

  /** Returns the topology whose positions name the nodes. */
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

  /** Removes a job that was added. */
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
   * Returns the free capacity plus the amounts held by jobs above a rank; valid until a job is
   * added or removed, and not to be changed.
   */
  public ClusterCapacity above(long rank, CapacityIndex index) {
    Map.@Nullable Entry<Long, Sum> higher = atOrAbove.higherEntry(rank);
    return higher == null
        ? ClusterCapacity.withoutVictims(index, nothing())
        : ClusterCapacity.withVictims(index, higher.getValue().held);
  }

  private NodeSet.Amounts nothing() {
    NodeSet.@Nullable Amounts known = nothing;
    if (known == null) {
      known = new NodeSet.Amounts(topology.nodes().size());
      nothing = known;
    }
    return known;
  }

  /** Returns these sums for another topology, which has all nodes of the jobs added. */
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
