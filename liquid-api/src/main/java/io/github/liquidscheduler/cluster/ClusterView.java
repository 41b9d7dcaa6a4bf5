package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.Optional;

/**
 * The free capacity and the running jobs of a cluster at one instant. Every method answers in
 * constant time unless it says otherwise, and throws {@link IllegalArgumentException} for a node,
 * GPU or domain that the topology does not have.
 */
public interface ClusterView {

  /** Returns the topology of the cluster. */
  ClusterTopology topology();

  /** Returns true if tasks may run on the node. */
  NodeHealth health(NodeId node);

  /** Returns true if the GPU itself is lost; a lost GPU counts neither as free nor as used. */
  boolean isLost(GpuId gpu);

  /**
   * Returns the number of GPUs of the node that nobody holds and that are not lost; 0 unless the
   * node is {@link NodeHealth#UP}.
   */
  int freeGpus(NodeId node);

  /** Returns true if nobody holds the GPU, it is not lost and its node is UP. */
  boolean isFree(GpuId gpu);

  /** Returns the CPU of the node that nobody holds, whatever the node's health. */
  CpuCores freeCpu(NodeId node);

  /** Returns the host memory of the node that nobody holds, whatever the node's health. */
  Memory freeMemory(NodeId node);

  /** Returns the compute of the GPU that nobody holds, in thousandths from 0 to 1000. */
  int freeShare(GpuId gpu);

  /** Returns the device memory of the GPU that nobody holds. */
  Memory freeGpuMemory(GpuId gpu);

  /** Returns the tasks that hold the GPU, in the order of arrival. */
  List<Resident> residents(GpuId gpu);

  /** Returns the network bandwidth that the tasks on the node were granted, in each direction. */
  Bandwidth nicLoad(NodeId node);

  /**
   * Returns the bandwidth in use on the uplink of the domain, in each direction; {@link
   * Bandwidth#ZERO} where nothing is known.
   */
  Bandwidth uplinkLoad(DomainId domain);

  /** Returns the running jobs in the order in which they started. */
  List<JobId> runningJobs();

  /** Returns the placement of the job, or empty if it does not run. */
  Optional<Placement> placement(JobId job);

  /**
   * Returns a running job as it was submitted; empty if it does not run, or if the view does not
   * know. Nobody is placed beside a job that is not known.
   */
  default Optional<JobSpec> job(JobId job) {
    return Optional.empty();
  }

  /**
   * Returns true if the node has a copy of the data set, or is being sent one; false where nothing
   * is known.
   */
  default boolean holds(NodeId node, Dataset dataset) {
    return false;
  }

  /** Returns the observations from the reports of running jobs. */
  default Observations observations() {
    return Observations.NONE;
  }
}
