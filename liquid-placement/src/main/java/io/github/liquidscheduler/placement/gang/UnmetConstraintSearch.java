package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.explanation.UnmetConstraint.ClosestFit;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Finds out why a job does not fit: first what the cluster does not have at all, then what is not
 * free in sum, then which one requirement, if it were dropped, would let the job fit. The cost is a
 * few placements.
 */
public final class UnmetConstraintSearch {

  private static final String NOT_FOUND =
      "all tasks at once; a placement may exist that was not found";

  private final Placer placer;
  private final ClusterState state;
  private final CapacityIndex index;
  private final JobSpec job;
  private final GangShape gang;
  private final UnmetGpus gpus;
  private final List<UnmetConstraint> found = new ArrayList<>();

  private UnmetConstraintSearch(Placer placer, ClusterState state, JobSpec job) {
    this.placer = placer;
    this.state = state;
    this.job = job;
    index = state.index();
    gang = new GangShape(job, index);
    gpus = new UnmetGpus(index, gang);
  }

  /** Returns what keeps a placer from placing a job now; empty if it places it. */
  public static List<UnmetConstraint> explain(Placer placer, ClusterView view, JobSpec job) {
    return placer.place(view, job).isPresent()
        ? List.of()
        : new UnmetConstraintSearch(placer, ClusterState.copyOf(view), job).find();
  }

  private List<UnmetConstraint> find() {
    addAbsent();
    if (found.isEmpty()) {
      gpus.inSum().ifPresent(found::add);
    }
    if (found.isEmpty()) {
      found.addAll(gpus.onOneNode());
    }
    if (found.isEmpty()) {
      addRelaxable();
    }
    if (!new GangSearch(index, gang).isProvedImpossible()) {
      found.add(UnmetGpus.unmet(Constraint.COMBINATION, NOT_FOUND, job.tasks(), 0));
    } else if (found.isEmpty()) {
      found.add(UnmetGpus.unmet(Constraint.COMBINATION, "all tasks at once", job.tasks(), 0));
    }
    return List.copyOf(found);
  }

  /** Adds what the cluster does not have, even if all is free. */
  private void addAbsent() {
    for (String level : gang.topology().levels()) {
      if (index.topology().levelPosition(level).isEmpty()) {
        found.add(UnmetGpus.unmet(Constraint.TOPOLOGY_LEVEL, "level '" + level + "'", 1, 0));
      }
    }
    if (!gang.allowsAnyNode()) {
      found.add(UnmetGpus.unmet(Constraint.NODE_LABELS, "labels " + job.nodeLabels(), 1, 0));
    }
    found.addAll(gpus.absent());
  }

  /** Adds each constraint without which the job would fit. */
  private void addRelaxable() {
    if (!gang.topology().levels().isEmpty()
        && fits(job.toBuilder().topology(TopologyConstraint.NONE).build())) {
      addTopology();
    }
    addIfRelaxable(Constraint.CPU, request -> request.toBuilder().cpu(CpuCores.ZERO).build());
    addIfRelaxable(Constraint.MEMORY, request -> request.toBuilder().memory(Memory.ZERO).build());
    addIfRelaxable(
        Constraint.GPU_MEMORY, request -> request.toBuilder().gpuMemory(Memory.ZERO).build());
    if (!job.nodeLabels().isEmpty() && fits(job.toBuilder().nodeLabels(Map.of()).build())) {
      found.add(
          UnmetGpus.unmet(Constraint.NODE_LABELS, "labels " + job.nodeLabels(), job.gpus(), 0));
    }
  }

  private void addTopology() {
    TopologyConstraint topology = job.topology();
    topology.required().ifPresent(level -> addTopology(level, "all tasks in one " + level));
    if (topology.required().isEmpty()) {
      topology
          .slices()
          .ifPresent(
              s -> addTopology(s.level(), "each " + s.tasks() + " tasks in one " + s.level()));
      topology
          .spread()
          .ifPresent(
              s -> addTopology(s.level(), "at most " + s.maxTasks() + " in one " + s.level()));
    }
  }

  private void addTopology(String level, String scope) {
    int position = index.topology().levelPosition(level).orElse(0);
    String best = "";
    int most = 0;
    for (GpuPool pool : gpus.allowedPools(gang.tasks().getFirst())) {
      if (position < pool.levels().size()) {
        DomainLevel domains = pool.levels().get(position);
        int freest = domains.freest();
        if (freest >= 0 && (best.isEmpty() || domains.free(freest) > most)) {
          most = domains.free(freest);
          best = nameOf(level, pool.nodeOf(domains.first(freest)));
        }
      }
    }
    Optional<ClosestFit> closest =
        best.isEmpty() ? Optional.empty() : Optional.of(new ClosestFit(best, most));
    found.add(new UnmetConstraint(Constraint.TOPOLOGY, scope, job.gpus(), most, closest));
  }

  private String nameOf(String level, int node) {
    NodeId id = index.topology().nodes().get(node).id();
    return index
        .topology()
        .domainOf(id, level)
        .map(Domain::toString)
        .orElse("the " + ClusterTopology.CLUSTER);
  }

  /** Adds a constraint if the job would fit if no task requested anything of the resource. */
  private void addIfRelaxable(Constraint constraint, UnaryOperator<ResourceRequest> relax) {
    if (gang.tasks().stream().allMatch(task -> amount(constraint, task) == 0)) {
      return;
    }
    List<TaskRole> relaxed =
        job.roles().stream()
            .map(role -> new TaskRole(role.name(), role.count(), relax.apply(role.request())))
            .toList();
    placer
        .place(state, job.toBuilder().roles(relaxed).build())
        .ifPresent(placement -> addResource(constraint, placement.tasks().getFirst().node()));
  }

  private void addResource(Constraint constraint, NodeId node) {
    TaskShape greediest = gang.tasks().getFirst();
    for (TaskShape task : gang.tasks()) {
      greediest = amount(constraint, task) > amount(constraint, greediest) ? task : greediest;
    }
    int position = index.topology().position(node);
    long available =
        switch (constraint) {
          case CPU -> index.freeCpu(position);
          case MEMORY -> index.freeMemory(position);
          default -> mostFreeGpuMemory(position);
        };
    found.add(
        new UnmetConstraint(
            constraint,
            UnmetGpus.scope(greediest) + ", with the GPUs it needs",
            amount(constraint, greediest),
            available,
            UnmetGpus.closestOn(index.topology(), position, available)));
  }

  private long mostFreeGpuMemory(int node) {
    long most = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      most = Math.max(most, index.freeGpuMemory(node, gpu));
    }
    return most;
  }

  private static long amount(Constraint constraint, TaskShape task) {
    return switch (constraint) {
      case CPU -> task.cpu();
      case MEMORY -> task.memory();
      default -> task.gpuMemory();
    };
  }

  private boolean fits(JobSpec changed) {
    return placer.place(state, changed).isPresent();
  }
}
