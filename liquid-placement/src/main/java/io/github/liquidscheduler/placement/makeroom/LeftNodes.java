package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that some running jobs would leave: what they have free, and would have then, as an
 * upper bound. A job that fits nowhere now fits once they have left only if it finds something
 * there. Costs the nodes that are left, however many there are. Not thread-safe.
 */
public final class LeftNodes {

  private final CapacityIndex index;
  private final Map<Integer, GrownNode> nodes = new LinkedHashMap<>();

  /** Makes nodes that nobody leaves yet. */
  public LeftNodes(CapacityIndex index) {
    this.index = index;
  }

  /** Adds what a job holds that would leave. */
  public void add(NodeSet held) {
    for (int at = 0; at < held.size(); at++) {
      nodes.computeIfAbsent(held.node(at), node -> new GrownNode(index, node)).leave(held, at, 1);
    }
  }

  /** Returns false if no task of a job can go there. */
  public boolean mayHold(JobSpec job, List<TaskShape> tasks) {
    for (GrownNode node : nodes.values()) {
      if (node.mayHold(job, tasks)) {
        return true;
      }
    }
    return false;
  }

  /** Returns false if fewer than so many tasks of one role can go there. */
  public boolean mayHold(JobSpec job, TaskShape task, int count) {
    long found = 0;
    for (GrownNode node : nodes.values()) {
      found += node.tasks(job, task);
      if (found >= count) {
        return true;
      }
    }
    return false;
  }
}
