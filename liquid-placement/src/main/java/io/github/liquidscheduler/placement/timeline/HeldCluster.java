package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: all that a node holds at some time in a window is applied to the idle cluster as one job,
 *   so that any Placer can be asked. What is applied stays for the next window, and is applied
 *   again only where it differs.
 * Invariants: what is applied on a node is what it holds in the windows alike; all are alike in
 *   common unless a node has changed since.
 * Cost: O(1) for a window like the one before; else O(held nodes), and O(tasks) for those that hold
 *   something else.
 */
/** A cluster on which what nodes hold in a window is applied. Mutable. */
final class HeldCluster {

  private static final String HELD = "held ";
  private static final String ALSO_HELD = "also held ";

  private final ClusterState idle;
  private final List<NodeHoldings> holdings;
  private final Applied[] applied;
  private final boolean[] isUp;
  private String names = HELD;
  private FreeProfile.@Nullable Alike common;

  /** What is applied on a node, and for which windows. */
  private static final class Applied {
    private @Nullable JobId job;
    private FreeProfile.@Nullable Alike windows;
  }

  /**
   * Makes a cluster on which nothing is applied.
   *
   * @param idle the idle cluster, whose health stays; kept, and changed
   * @param holdings what the nodes hold, by their positions; live
   */
  HeldCluster(ClusterState idle, List<NodeHoldings> holdings) {
    this.idle = idle;
    this.holdings = holdings;
    applied = new Applied[holdings.size()];
    isUp = new boolean[holdings.size()];
    for (int node = 0; node < applied.length; node++) {
      applied[node] = new Applied();
      isUp[node] = idle.health(idle.topology().nodes().get(node).id()) == NodeHealth.UP;
    }
  }

  /** Notes that a node holds something else. */
  void changed(int node) {
    applied[node].windows = null;
    common = null;
  }

  /** Returns the cluster with what all nodes hold in a window, for a question about a job. */
  ClusterState during(TimeWindow window, JobId asking) {
    name(asking);
    if (common == null || !common.contains(window)) {
      FreeProfile.Alike alike = FreeProfile.Alike.ALL;
      for (int node = 0; node < applied.length; node++) {
        if (isUp[node] && holdings.get(node).wereHeld()) {
          alike = alike.and(apply(node, window));
        }
      }
      common = alike;
    }
    return idle;
  }

  /** Returns the cluster with what some nodes hold in a window, for a question about a job. */
  ClusterState during(TimeWindow window, JobId asking, Iterable<NodeId> nodes) {
    name(asking);
    for (NodeId node : nodes) {
      int position = idle.topology().position(node);
      if (isUp[position]) {
        apply(position, window);
      }
    }
    return idle;
  }

  private void name(JobId asking) {
    String others = asking.value().startsWith(HELD) ? ALSO_HELD : HELD;
    if (!names.equals(others)) {
      for (Applied each : applied) {
        giveBack(each);
      }
      names = others;
      common = null;
    }
  }

  private FreeProfile.Alike apply(int position, TimeWindow window) {
    Applied there = applied[position];
    FreeProfile.@Nullable Alike windows = there.windows;
    if (windows == null || !windows.contains(window)) {
      giveBack(there);
      common = null;
      Node node = idle.topology().nodes().get(position);
      List<TaskPlacement> tasks = holdings.get(position).most(window, isLost(node));
      if (!tasks.isEmpty()) {
        JobId name = JobId.of(names + node.id());
        idle.apply(new Placement(name, tasks));
        there.job = name;
      }
      windows = holdings.get(position).alike(window);
      there.windows = windows;
    }
    return windows;
  }

  private void giveBack(Applied there) {
    there.windows = null;
    if (there.job != null) {
      idle.release(there.job);
      there.job = null;
    }
  }

  private IntPredicate isLost(Node node) {
    return gpu -> idle.isLost(new GpuId(node.id(), gpu));
  }
}
