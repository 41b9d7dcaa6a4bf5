package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.gang.PlacementRules;

/**
 * The state of a cluster, kept by an embedder that uses placers without our scheduler. Placers read
 * its {@link #view} fastest: free capacity is indexed, and a start or stop updates the index in
 * O(tasks x levels). Nothing can be over-committed: a placement that does not fit is refused whole.
 * Not thread-safe.
 */
public final class LiveCluster {

  private final ClusterState state;

  private LiveCluster(ClusterState state) {
    this.state = state;
  }

  /** Returns an idle cluster with all nodes up. */
  public static LiveCluster of(ClusterTopology topology) {
    return of(topology, NetworkParameters.DEFAULT);
  }

  /** Returns an idle cluster with these network parameters and all nodes up. */
  public static LiveCluster of(ClusterTopology topology, NetworkParameters network) {
    return new LiveCluster(ClusterState.of(topology, network));
  }

  /** Returns an independent copy of a view; O(nodes). */
  public static LiveCluster copyOf(ClusterView view) {
    return new LiveCluster(ClusterState.copyOf(view));
  }

  /** Returns an independent copy; O(nodes). */
  public LiveCluster copy() {
    return new LiveCluster(state.copy());
  }

  /** Returns the view of free capacity and running jobs, which changes with this cluster. */
  public ClusterView view() {
    return state;
  }

  /** Returns the number of wholly free GPUs on nodes that are up; constant time. */
  public int freeGpus() {
    return state.freeGpus();
  }

  /**
   * Starts a job at a placement, from any source.
   *
   * @throws IllegalArgumentException if the placement is not that of the whole job with all its
   *     constraints, or names an unknown node or GPU
   * @throws IllegalStateException if the job runs already, or the placement is not free on nodes
   *     that are up; nothing is then changed
   */
  public void start(JobSpec job, Placement placement) {
    if (!placement.job().equals(job.id())) {
      throw new IllegalArgumentException(
          "a job must start with its own placement, but job '%s' got that of '%s'"
              .formatted(job.id(), placement.job()));
    }
    new PlacementRules(state.topology(), job)
        .brokenBy(placement)
        .ifPresent(
            rule -> {
              throw new IllegalArgumentException(
                  "a placement must be what its job requires, but %s, for job '%s'"
                      .formatted(rule, job.id()));
            });
    state.apply(job, placement);
  }

  /**
   * Releases all that a job holds.
   *
   * @throws IllegalStateException if it does not run
   */
  public void stop(JobId job) {
    state.release(job);
  }

  /**
   * Sets the health of a node. Its jobs keep their capacity until they are stopped.
   *
   * @throws IllegalArgumentException if the cluster has no such node
   */
  public void setHealth(NodeId node, NodeHealth health) {
    state.setHealth(node, health);
  }

  /**
   * Marks a GPU as failed. Jobs that hold it keep it until they are stopped.
   *
   * @throws IllegalArgumentException if the cluster has no such GPU
   */
  public void fail(GpuId gpu) {
    state.fail(gpu);
  }

  /**
   * Restores a failed GPU.
   *
   * @throws IllegalArgumentException if the cluster has no such GPU
   */
  public void restore(GpuId gpu) {
    state.restore(gpu);
  }
}
