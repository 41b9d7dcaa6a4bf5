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
 * The nodes that some running jobs would leave: what they have free, and would have then, as an
 * upper bound. A job that fits nowhere now fits once they have left only if it finds something
 * there. Costs the nodes that are left, however many there are. Not thread-safe.
 */
public final class LeftNodes {

  private final CapacityIndex index;
  private final @Nullable GrownNode[] known;
  private final BitSet positions = new BitSet();
  private final List<GrownNode> nodes = new ArrayList<>();
  private final BitSet read = new BitSet();

  /** Makes nodes that nobody leaves yet. */
  public LeftNodes(CapacityIndex index) {
    this.index = index;
    known = new GrownNode[index.topology().nodes().size()];
  }

  /** Returns whether they are nodes of this very index. */
  @SuppressWarnings("ReferenceEquality") // what is free in another is something else
  public boolean areOf(CapacityIndex index) {
    return this.index == index;
  }

  /** Adds what a job holds that would leave. */
  public void add(NodeSet held) {
    for (int at = 0; at < held.size(); at++) {
      left(held.node(at)).leave(held, at, 1);
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

  /** Returns a node, whether anybody leaves it or not. */
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

  /** Has nobody leave any more, and what is free be read anew, since it may have changed. */
  public void begin() {
    clear();
    read.clear();
  }

  /** Has nobody leave any more; what is free must be as it was. */
  public void clear() {
    nodes.forEach(GrownNode::comeBack);
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
   * Returns false if fewer than so many tasks of one role can go there, in any domain of the level
   * that the job requires, or fewer than all of that role with what is free in such a domain.
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

  /** Returns which of some domains, in order, has a node; their number if none has. */
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
