package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Idea: after an event only nodes that grew can help a waiting job. Nodes sorted by their last
 * growth answer "since number n" from the front; victims sorted by rank are added and removed like
 * a cursor, so questions in the order of ranks walk over them once.
 * Invariants: a false answer is certain, a true one is not (upper bounds); byPosition and nodes
 * hold the same nodes; the first `leaving` victims are counted as gone. RetryLaws compares
 * decisions.
 * Cost: O(n log n + nodes of the growths) to take in growths on n nodes; a question O(nodes grown
 * since), or for amounts alone O(undominated nodes); moving the rank O(victims between the ranks).
 * docs/performance.md.
 */
/**
 * The nodes whose capacity has grown: an upper bound of what they have free, and would have without
 * jobs of high ranks. Growths are numbered in their order, so that a job asks about later ones
 * only.
 *
 * <p>Questions are for the rank of one job at a time; asked in the order of ranks they walk once
 * over the possible victims. Not thread-safe.
 */
public final class GrownNodes {

  private final CapacityIndex index;
  private final List<GrownNode> nodes = new ArrayList<>();
  // Never iterated.
  private final Map<Integer, GrownNode> byPosition = new HashMap<>();
  private final @Nullable GrownNodes others;
  private final List<Left> mayLeave = new ArrayList<>();
  private int leaving;
  private boolean isSorted = true;
  private NodeAmounts @Nullable [] most;

  /** The amounts that a possible victim of a rank holds on a node. */
  private record Left(GrownNode node, long rank, NodeSet held, int at) {
    static final Comparator<Left> HIGHEST_FIRST = Comparator.comparingLong(Left::rank).reversed();

    void leave(int sign) {
      node.addVictim(held, at, sign);
    }
  }

  /**
   * Makes the nodes, without victims.
   *
   * @param positions their positions in the topology
   * @param growths the growths, in order; ignored on other nodes
   * @param first the number of the first growth; the others have the next ones
   */
  public GrownNodes(CapacityIndex index, BitSet positions, List<Growth> growths, long first) {
    this.index = index;
    others = null;
    growOn(positions, growths, first);
  }

  private GrownNodes(GrownNodes others) {
    index = others.index;
    this.others = others;
  }

  /**
   * Adds further growths, on these nodes and on others that count from now on. Nodes made by {@link
   * #forOthersToLeave} must be told their victims again.
   *
   * @param positions the positions where they count
   * @param growths the growths, in order, later than all before
   * @param first the number of the first growth; the others have the next ones
   */
  public void growOn(BitSet positions, List<Growth> growths, long first) {
    for (int node = positions.nextSetBit(0); node >= 0; node = positions.nextSetBit(node + 1)) {
      @Nullable GrownNode known = byPosition.get(node);
      if (known == null) {
        GrownNode grown = new GrownNode(index, node);
        nodes.add(grown);
        byPosition.put(node, grown);
      } else {
        known.readFree();
      }
    }
    for (int i = 0; i < growths.size(); i++) {
      Growth growth = growths.get(i);
      NodeSet grown = growth.capacity();
      for (int at = 0; at < grown.size(); at++) {
        @Nullable GrownNode node = byPosition.get(grown.node(at));
        if (node != null) {
          node.grow(first + i, growth, at);
        }
      }
    }
    most = null;
    sortNodes();
  }

  /** Returns true if any of the nodes is at one of these positions. */
  public boolean areAnyAt(BitSet positions) {
    for (GrownNode node : nodes) {
      if (positions.get(node.node())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns these nodes for jobs that may evict others: only nodes with victims are copied. The
   * free capacity of both has to be read again after starts.
   */
  public GrownNodes forOthersToLeave() {
    return new GrownNodes(this);
  }

  private void sortNodes() {
    nodes.sort(Comparator.comparingLong(GrownNode::lastGrowth).reversed());
  }

  /** Returns the node at a position; null if it has not grown. */
  private @Nullable GrownNode node(int position) {
    @Nullable GrownNode node = byPosition.get(position);
    @Nullable GrownNode other = others == null ? null : others.byPosition.get(position);
    if (node == null && other != null) {
      node = new GrownNode(other);
      byPosition.put(position, node);
      nodes.add(node);
    }
    return node;
  }

  /** Adds a possible victim on the node at a position, for jobs that may pre-empt its rank. */
  public void mayLeave(long rank, NodeSet held, int position) {
    @Nullable GrownNode node = node(position);
    for (int i = 0; node != null && i < held.size(); i++) {
      if (held.node(i) == position) {
        mayLeave.add(new Left(node, rank, held, i));
        isSorted = false;
      }
    }
  }

  /** Adds a possible victim on all of its nodes. */
  public void mayLeave(long rank, NodeSet held) {
    for (int i = 0; i < held.size(); i++) {
      @Nullable GrownNode node = node(held.node(i));
      if (node != null) {
        mayLeave.add(new Left(node, rank, held, i));
        isSorted = false;
      }
    }
  }

  /** Reads the free capacity again where a job has started. */
  public void readFree(NodeSet taken) {
    for (int at = 0; at < taken.size(); at++) {
      @Nullable GrownNode node = byPosition.get(taken.node(at));
      if (node != null) {
        node.readFree();
        most = null;
      }
    }
  }

  /** Counts all victims above a rank as gone, and no others, from now on. */
  public GrownNodes withoutAbove(long rank) {
    if (!isSorted) {
      removeVictims(Long.MAX_VALUE);
      mayLeave.sort(Left.HIGHEST_FIRST);
      sortNodes();
      isSorted = true;
    }
    removeVictims(rank);
    while (leaving < mayLeave.size() && mayLeave.get(leaving).rank() > rank) {
      mayLeave.get(leaving++).leave(1);
      most = null;
    }
    return this;
  }

  private void removeVictims(long rank) {
    while (leaving > 0 && mayLeave.get(leaving - 1).rank() <= rank) {
      mayLeave.get(--leaving).leave(-1);
      most = null;
    }
  }

  /** Returns true if any node has at least these amounts. */
  public boolean mayHold(NodeAmounts least) {
    for (NodeAmounts amounts : most()) {
      if (amounts.hold(least)) {
        return true;
      }
    }
    return others != null && others.mayHold(least);
  }

  /** Returns the first of the requests, from a position on, that {@link #mayHold} is true of. */
  public int nextHeld(LeastRequests requests, int from) {
    int next = requests.nextHeld(from, most());
    return others == null ? next : Math.min(next, others.nextHeld(requests, from));
  }

  /** Returns the amounts of the nodes, without those dominated by another node. */
  private NodeAmounts[] most() {
    NodeAmounts @Nullable [] known = most;
    if (known == null) {
      List<NodeAmounts> largest = new ArrayList<>();
      for (int i = 0; i < nodes.size(); i++) {
        addIfLarger(nodes.get(i).amounts(), largest);
      }
      known = largest.toArray(NodeAmounts[]::new);
      most = known;
    }
    return known;
  }

  private static void addIfLarger(NodeAmounts amounts, List<NodeAmounts> largest) {
    for (int i = 0; i < largest.size(); i++) {
      if (largest.get(i).hold(amounts)) {
        return;
      }
    }
    largest.removeIf(amounts::hold);
    largest.add(amounts);
  }

  /**
   * Returns false if no task of a job fits on any node that has grown for it.
   *
   * @param least the least that a task requests
   * @param tasks the task of each role
   * @param rank the rank of the job, for which growths count
   * @param since the number of the first growth that counts
   */
  public boolean mayHold(
      JobSpec job, NodeAmounts least, List<TaskShape> tasks, long rank, long since) {
    for (int i = 0; i < nodes.size() && nodes.get(i).lastGrowth() >= since; i++) {
      GrownNode node = nodes.get(i);
      if (node.mayHold(least) && node.hasGrown(rank, since) && node.mayHold(job, tasks)) {
        return true;
      }
    }
    return others != null && others.mayHold(job, least, tasks, rank, since);
  }

  /**
   * Returns an upper bound, cut at {@code most}, of the tasks that fit now, but did not before.
   *
   * @param least the least that a task of the job requests
   * @param task the task of one role
   * @param rank the rank of the job, for which growths count
   * @param since the number of the first growth that counts
   */
  public int moreTasks(
      JobSpec job, NodeAmounts least, TaskShape task, long rank, long since, int most) {
    long more = moreTasks(job, least, task, rank, since, most, Map.of());
    if (others != null && more < most) {
      more += others.moreTasks(job, least, task, rank, since, most, byPosition);
    }
    return (int) Math.min(more, most);
  }

  private long moreTasks(
      JobSpec job,
      NodeAmounts least,
      TaskShape task,
      long rank,
      long since,
      int most,
      Map<Integer, GrownNode> counted) {
    long more = 0;
    for (int i = 0; i < nodes.size() && more < most && nodes.get(i).lastGrowth() >= since; i++) {
      GrownNode node = nodes.get(i);
      if (node.mayHold(least) && node.hasGrown(rank, since) && !counted.containsKey(node.node())) {
        more += node.moreTasks(job, task, rank, since);
      }
    }
    return more;
  }
}
