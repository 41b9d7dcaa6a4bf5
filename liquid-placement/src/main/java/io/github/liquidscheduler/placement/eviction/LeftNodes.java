package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that victims would leave, with an upper bound of what they have free then. A job that
 * fits nowhere now fits without the victims only if a task fits there. Costs O(nodes of the
 * victims). Not thread-safe.
 */
public final class LeftNodes {

  private final CapacityIndex index;
  private final @Nullable GrownNode[] known;
  private final BitSet positions = new BitSet();
  private final List<GrownNode> nodes = new ArrayList<>();
  private final BitSet read = new BitSet();

  /** Makes an empty set. */
  public LeftNodes(CapacityIndex index) {
    this.index = index;
    known = new GrownNode[index.topology().nodes().size()];
  }

  /** Returns true if they are nodes of this very index. */
  @SuppressWarnings("ReferenceEquality") // free capacity differs between indexes
  public boolean areOf(CapacityIndex index) {
    return this.index == index;
  }

  /** Adds the amounts held by a victim. */
  public void add(NodeSet held) {
    for (int at = 0; at < held.size(); at++) {
      left(held.node(at)).addVictim(held, at, 1);
    }
  }

  private GrownNode left(int position) {
    GrownNode node = read(position);
    if (!positions.get(position)) {
      positions.set(position);
      nodes.add(node);
    }
    return node;
  }

  /** Returns a node, with victims or without. */
  private GrownNode read(int position) {
    @Nullable GrownNode node = known[position];
    if (node == null) {
      node = new GrownNode(index, position);
      known[position] = node;
      read.set(position);
    } else if (!read.get(position)) {
      node.readFree();
      read.set(position);
    }
    return node;
  }

  /** Removes all victims, and reads the free capacity again, since it may have changed. */
  public void begin() {
    clear();
    read.clear();
  }

  /** Removes all victims; the free capacity must be unchanged. */
  public void clear() {
    nodes.forEach(GrownNode::removeVictims);
    nodes.clear();
    positions.clear();
  }

  /** Returns false if no task of a job can go there. */
  public boolean mayHold(JobSpec job, List<TaskShape> tasks) {
    for (GrownNode node : nodes) {
      if (node.mayHold(job, tasks)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns false if every domain of the level that the job requires holds fewer than {@code count}
   * tasks of a role on these nodes, or fewer than all of the role on all nodes.
   *
   * @param task the role as it is at the smallest size of the job
   */
  public boolean mayHold(JobSpec job, TaskShape task, int count) {
    int level = job.topology().required().flatMap(index.topology()::levelPosition).orElse(0);
    return level == 0 ? holdInAll(job, task, count) : holdInOneDomain(job, task, count, level);
  }

  private boolean holdInAll(JobSpec job, TaskShape task, int count) {
    long found = 0;
    for (GrownNode node : nodes) {
      found += node.tasks(job, task);
      if (found >= count) {
        return true;
      }
    }
    return false;
  }

  private boolean holdInOneDomain(JobSpec job, TaskShape task, int count, int level) {
    boolean areNodes = level == index.topology().levels().size() - 1;
    List<NodeRange> domains = areNodes ? List.of() : index.nodesOf(level);
    // The last is for nodes in none.
    long[] found = new long[domains.size() + 1];
    for (GrownNode node : nodes) {
      int domain = domainOf(node.node(), domains);
      long before = areNodes ? 0 : found[domain];
      found[domain] = before + node.tasks(job, task);
      if (found[domain] >= count) {
        if (domain == domains.size() || mayHoldAll(job, task, domains.get(domain))) {
          return true;
        }
        found[domain] = Integer.MIN_VALUE;
      }
    }
    return false;
  }

  private boolean mayHoldAll(JobSpec job, TaskShape task, NodeRange domain) {
    long found = 0;
    for (int node = domain.first(); node < domain.end(); node++) {
      found += read(node).tasks(job, task);
      if (found >= task.role().count()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the position of the domain, of some in order, that has a node; their number if none
   * has.
   */
  private static int domainOf(int node, List<NodeRange> domains) {
    int low = 0;
    int end = domains.size();
    while (low < end) {
      int middle = (low + end) >>> 1;
      if (domains.get(middle).end() <= node) {
        low = middle + 1;
      } else {
        end = middle;
      }
    }
    return low < domains.size() && domains.get(low).contains(node) ? low : domains.size();
  }
}
