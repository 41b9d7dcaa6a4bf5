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
 * Who runs where, kept by an embedder that uses placers without our scheduler. Its {@link #view} is
 * the one that placers read fastest: what is free is indexed, and a start or stop changes the index
 * in O(tasks x levels). Nothing can be over-committed: what does not fit is refused whole. Not
 * thread-safe.
 */
public final class LiveCluster {

  private final ClusterState state;

  private LiveCluster(ClusterState state) {
    this.state = state;
  }

  /** Returns a cluster in which every node is up and nothing runs. */
  public static LiveCluster of(ClusterTopology topology) {
    return of(topology, NetworkParameters.DEFAULT);
  }

  /** Returns a cluster with such a network, in which every node is up and nothing runs. */
  public static LiveCluster of(ClusterTopology topology, NetworkParameters network) {
    return new LiveCluster(ClusterState.of(topology, network));
  }

  /**
   * Returns a cluster that is as {@code view} shows it and goes its own way from here; O(nodes).
   */
  public static LiveCluster copyOf(ClusterView view) {
    return new LiveCluster(ClusterState.copyOf(view));
  }

  /** Returns a cluster that is as this one is now and goes its own way from here; O(nodes). */
  public LiveCluster copy() {
    return new LiveCluster(state.copy());
  }

  /** Returns what is free and who runs where. The view changes with this cluster. */
  public ClusterView view() {
    return state;
  }

  /** Returns the GPUs of all nodes that are up that nobody holds; constant time. */
  public int freeGpus() {
    return state.freeGpus();
  }

  /**
   * Gives a job what its placement says, whoever found it.
   *
   * @throws IllegalArgumentException if the placement is not one of the job, whole and with all
   *     that it requires, or names a node or GPU that the cluster does not have
   * @throws IllegalStateException if the job runs already, or what it would hold is not free on
   *     nodes that are up; nothing is then changed
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
   * Sets the health of a node. Jobs that run there keep what they hold until they are stopped.
   *
   * @throws IllegalArgumentException if the cluster has no such node
   */
  public void setHealth(NodeId node, NodeHealth health) {
    state.setHealth(node, health);
  }

  /**
   * Takes a broken GPU out. Jobs that hold it keep it until they are stopped.
   *
   * @throws IllegalArgumentException if the cluster has no such GPU
   */
  public void fail(GpuId gpu) {
    state.fail(gpu);
  }

  /**
   * Brings a GPU back that was taken out.
   *
   * @throws IllegalArgumentException if the cluster has no such GPU
   */
  public void restore(GpuId gpu) {
    state.restore(gpu);
  }
}
