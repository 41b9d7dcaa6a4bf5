package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.explanation.UnmetConstraint.ClosestFit;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/*
 * Idea: from hopeless to near: absent resources, sums over the cluster, one node, then the job
 * placed with one constraint dropped at a time; the placement found then shows where that falls
 * short. What remains is a combination, told by the largest part that fits.
 * Invariants: read only; an answer names less available than requested; "may exist that was not
 * found" is added unless GangSearch has a proof.
 * Cost: up to six placements with the placer, O(log tasks) more for the largest part, and one
 * proof; never on the path of a decision (UnmetConstraintSearchTest).
 */
/**
 * Explains why a job does not fit: first by resources that the cluster lacks altogether, then by
 * those not free in sum, then by each single constraint without which the job would fit. Of each
 * constraint named, less is available than requested.
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

  /** Returns the constraints that keep a placer from placing a job now; empty if it places it. */
  public static List<UnmetConstraint> explain(Placer placer, ClusterView view, JobSpec job) {
    return placer.place(view, job).isPresent()
        ? List.of()
        : new UnmetConstraintSearch(placer, ClusterState.of(view), job).find();
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
      addCombination(NOT_FOUND, PlacedPart.of(placer, state, job));
    } else if (found.isEmpty()) {
      addCombination("all tasks at once", PlacedPart.of(placer, state, job));
    }
    return List.copyOf(found);
  }

  /** Adds the resources that the cluster lacks even if all is free. */
  private void addAbsent() {
    List<String> levels = index.topology().levels();
    for (String level : gang.topology().requiredLevels()) {
      if (!levels.contains(level)) {
        String scope = "level '" + level + "' of " + levels;
        found.add(UnmetGpus.unmet(Constraint.TOPOLOGY_LEVEL, scope, 1, 0));
      }
    }
    if (!gang.allowsAnyNode()) {
      found.add(UnmetGpus.unmet(Constraint.NODE_LABELS, nodesAllowed(), 1, 0));
    }
    found.addAll(gpus.absent());
  }

  /** Adds each constraint without which the job would fit. */
  private void addRelaxable() {
    if (!gang.topology().requiredLevels().isEmpty() && placed(anywhere()).isPresent()) {
      addTopology();
    }
    addIfRelaxable(Constraint.CPU, request -> request.toBuilder().cpu(CpuCores.ZERO).build());
    addIfRelaxable(Constraint.MEMORY, request -> request.toBuilder().memory(Memory.ZERO).build());
    addIfRelaxable(
        Constraint.GPU_MEMORY, request -> request.toBuilder().gpuMemory(Memory.ZERO).build());
    if (!job.nodeLabels().isEmpty() || job.hasLabelledRoles()) {
      placed(anyLabels()).ifPresent(this::addLabels);
    }
  }

  private JobSpec.Builder anyLabels() {
    return job.toBuilder()
        .nodeLabels(Map.of())
        .roles(job.roles().stream().map(role -> role.on(Map.of())).toList());
  }

  private JobSpec.Builder anywhere() {
    return job.toBuilder()
        .topology(TopologyConstraint.NONE)
        .roles(job.roles().stream().map(role -> role.within(TopologyConstraint.NONE)).toList())
        .groups(List.of());
  }

  private void addTopology() {
    PlacedPart part = PlacedPart.of(placer, state, job);
    String scope = gang.topology().describe();
    if (part.gpus() < job.gpus()) {
      Optional<ClosestFit> closest =
          part.placement()
              .flatMap(gang.topology()::requiredDomain)
              .map(domain -> new ClosestFit(domain, part.gpus()));
      found.add(new UnmetConstraint(Constraint.TOPOLOGY, scope, job.gpus(), part.gpus(), closest));
    } else {
      addCombination(scope, part);
    }
  }

  private void addCombination(String scope, PlacedPart part) {
    found.add(UnmetGpus.unmet(Constraint.COMBINATION, scope, job.tasks(), part.tasks()));
  }

  private void addLabels(Placement without) {
    long labelled = without.nodes().stream().filter(node -> carriesLabels(node, without)).count();
    if (labelled < without.nodes().size()) {
      found.add(
          UnmetGpus.unmet(
              Constraint.NODE_LABELS,
              nodesAllowed() + ", where capacity is free",
              without.nodes().size(),
              labelled));
    }
  }

  /** Returns true if all tasks on a node may be there. */
  private boolean carriesLabels(NodeId node, Placement placement) {
    int position = index.topology().position(node);
    return placement.tasks().stream()
        .filter(task -> task.node().equals(node))
        .allMatch(task -> gang.allows(gang.shapeOf(task.task().role()), position));
  }

  private String nodesAllowed() {
    List<String> asked = new ArrayList<>();
    if (!job.nodeLabels().isEmpty() || !job.hasLabelledRoles()) {
      asked.add("labels " + job.nodeLabels());
    }
    job.roles().stream()
        .filter(role -> !role.nodeLabels().isEmpty())
        .map(role -> "labels of role '%s' %s".formatted(role.name(), role.nodeLabels()))
        .forEach(asked::add);
    String labels = String.join(", ", asked);
    return job.excludedNodes().isEmpty() ? labels : labels + ", not " + job.excludedNodes();
  }

  /** Adds a constraint if the job fits without requests for the resource. */
  private void addIfRelaxable(Constraint constraint, UnaryOperator<ResourceRequest> relax) {
    Shortage shortage = new Shortage(constraint, gang, index);
    if (shortage.isRequested()) {
      List<TaskRole> relaxed =
          job.roles().stream().map(role -> role.withRequest(relax.apply(role.request()))).toList();
      placed(job.toBuilder().roles(relaxed)).flatMap(shortage::smallest).ifPresent(found::add);
    }
  }

  private Optional<Placement> placed(JobSpec.Builder changed) {
    return placer.place(state, changed.build());
  }
}
