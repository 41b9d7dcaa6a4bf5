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

/**
 * The nodes on which room has grown: what they have free, and would have if jobs of high ranks left
 * them, as an upper bound. Growths are numbered in the order in which they came, so that whoever
 * has taken in some is asked only about later ones.
 *
 * <p>Questions are for the rank of one job at a time. In the order of ranks they cost one walk over
 * those who may leave. Not thread-safe.
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

  /** What a job of a rank holds on a node that it may leave for jobs of lower rank. */
  private record Left(GrownNode node, long rank, NodeSet held, int at) {
    static final Comparator<Left> HIGHEST_FIRST = Comparator.comparingLong(Left::rank).reversed();

    void leave(int sign) {
      node.leave(held, at, sign);
    }
  }

  /**
   * Makes the nodes, which nobody may leave yet.
   *
   * @param positions where they are in the topology
   * @param growths what has grown, in order; on other nodes it does not count
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
   * Takes in further growths, on these nodes and on others that count from now on. What jobs would
   * leave there has to be said anew to those {@linkplain #forOthersToLeave for others to leave}.
   *
   * @param positions where they count
   * @param growths what has grown, in order, later than all that was taken in
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
      NodeSet room = growth.capacity();
      for (int at = 0; at < room.size(); at++) {
        @Nullable GrownNode node = byPosition.get(room.node(at));
        if (node != null) {
          node.grow(first + i, growth, at);
        }
      }
    }
    most = null;
    sortNodes();
  }

  /** Returns whether any of the nodes is at one of these positions. */
  public boolean areAnyAt(BitSet positions) {
    for (GrownNode node : nodes) {
      if (positions.get(node.node())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the same nodes for those who may have other jobs leave: only where these are they are
   * looked at again. What is free has to be read anew of both.
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

  /**
   * Adds a job that may leave one of the nodes, by its position, for others that may pre-empt jobs
   * above a lower rank.
   */
  public void mayLeave(long rank, NodeSet held, int position) {
    @Nullable GrownNode node = node(position);
    for (int i = 0; node != null && i < held.size(); i++) {
      if (held.node(i) == position) {
        mayLeave.add(new Left(node, rank, held, i));
        isSorted = false;
      }
    }
  }

  /**
   * Adds a job that may leave all of the nodes on which it is, as {@link #mayLeave} does of one.
   */
  public void mayLeave(long rank, NodeSet held) {
    for (int i = 0; i < held.size(); i++) {
      @Nullable GrownNode node = node(held.node(i));
      if (node != null) {
        mayLeave.add(new Left(node, rank, held, i));
        isSorted = false;
      }
    }
  }

  /** Reads anew what is free, since jobs have started. */
  public void readFree() {
    nodes.forEach(GrownNode::readFree);
    most = null;
  }

  /** Reads anew what is free where a job has started. */
  public void readFree(NodeSet taken) {
    for (int at = 0; at < taken.size(); at++) {
      @Nullable GrownNode node = byPosition.get(taken.node(at));
      if (node != null) {
        node.readFree();
        most = null;
      }
    }
  }

  /** Lets all leave that are above a rank, and all others stay, at the questions from now on. */
  public GrownNodes withoutAbove(long rank) {
    if (!isSorted) {
      comeBack(Long.MAX_VALUE);
      mayLeave.sort(Left.HIGHEST_FIRST);
      sortNodes();
      isSorted = true;
    }
    comeBack(rank);
    while (leaving < mayLeave.size() && mayLeave.get(leaving).rank() > rank) {
      mayLeave.get(leaving++).leave(1);
      most = null;
    }
    return this;
  }

  private void comeBack(long rank) {
    while (leaving > 0 && mayLeave.get(leaving - 1).rank() <= rank) {
      mayLeave.get(--leaving).leave(-1);
      most = null;
    }
  }

  /** Returns whether any node has at least these amounts. */
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

  /** Returns the amounts of the nodes without those that others have as much of each of. */
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
   * Returns false if no task of a job can go to any node that has grown for it.
   *
   * @param least the least that a task requests
   * @param tasks the task of each role
   * @param rank the rank of the job; growths count that are for it
   * @param since the number from which on growths count
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
   * Returns a number of tasks, up to {@code most}, more than which cannot fit anywhere in addition
   * to those that could before.
   *
   * @param least the least that a task of the job requests
   * @param task the task of one role
   * @param rank the rank of the job; growths count that are for it
   * @param since the number from which on growths count
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
