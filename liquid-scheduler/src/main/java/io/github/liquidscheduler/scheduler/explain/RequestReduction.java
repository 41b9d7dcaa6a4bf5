package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Optional;

/**
 * The smaller CPU or host memory request per task of one role with which a job would fit: what
 * would be left per task where the job goes if the role requested none.
 *
 * @param resource CPU or host memory
 * @param state the cluster
 */
record RequestReduction(Constraint resource, TaskRole role, JobSpec job, ClusterState state) {

  /** Returns the smaller request, verified by a placement. */
  Optional<Counterfactual> request(Placer placer) {
    return placer
        .place(state, with(0))
        .map(this::leftForEach)
        .filter(amount -> amount > 0 && amount < amountOf(role.request()))
        .filter(amount -> placer.place(state, with(amount)).isPresent())
        .map(amount -> new Counterfactual.SmallerRequest(role.name(), requestOf(amount)));
  }

  private long leftForEach(Placement placement) {
    return placement.nodes().stream()
        .mapToLong(node -> leftForEach(node, placement))
        .min()
        .orElse(0);
  }

  private long leftForEach(NodeId node, Placement placement) {
    long free =
        resource == Constraint.CPU
            ? state.freeCpu(node).millicores()
            : state.freeMemory(node).bytes();
    int tasks = 0;
    for (TaskPlacement task : placement.tasks()) {
      if (task.node().equals(node)) {
        boolean isOfRole = task.task().role().equals(role.name());
        tasks += isOfRole ? 1 : 0;
        free -= isOfRole ? 0 : amountOf(task.request());
      }
    }
    return tasks == 0 ? Long.MAX_VALUE : free / tasks;
  }

  private long amountOf(ResourceRequest request) {
    return resource == Constraint.CPU
        ? request.cpu().orElse(CpuCores.ZERO).millicores()
        : request.memory().orElse(Memory.ZERO).bytes();
  }

  private ResourceRequest requestOf(long amount) {
    ResourceRequest.Builder request = role.request().toBuilder();
    return (resource == Constraint.CPU
            ? request.cpu(CpuCores.ofMillicores(amount))
            : request.memory(Memory.ofBytes(amount)))
        .build();
  }

  private JobSpec with(long amount) {
    List<TaskRole> roles =
        job.roles().stream()
            .map(other -> other.equals(role) ? role.withRequest(requestOf(amount)) : other)
            .toList();
    return job.toBuilder().roles(roles).build();
  }
}
