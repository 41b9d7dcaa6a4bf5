package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Finds out why a job does not fit: first what the cluster does not have at all, then what is not
 * free in sum, then which one requirement, if it were dropped, would let the job fit. The cost is a
 * few placements.
 */
public final class UnmetConstraintSearch {

  private final Placer placer;
  private final ClusterState state;
  private final CapacityIndex index;
  private final JobSpec job;
  private final GangShape gang;
  private final List<UnmetConstraint> found = new ArrayList<>();

  private UnmetConstraintSearch(Placer placer, ClusterState state, JobSpec job) {
    this.placer = placer;
    this.state = state;
    this.job = job;
    index = state.index();
    gang = new GangShape(job, index);
  }

  /** Returns what keeps a placer from placing a job now; empty if it places it. */
  public static List<UnmetConstraint> explain(Placer placer, ClusterView view, JobSpec job) {
    return placer.place(view, job).isPresent()
        ? List.of()
        : new UnmetConstraintSearch(placer, ClusterState.copyOf(view), job).find();
  }

  private List<UnmetConstraint> find() {
    addWhatIsNowhere();
    if (found.isEmpty()) {
      addMissingGpus();
    }
    if (found.isEmpty()) {
      addGpusPerNode();
    }
    if (found.isEmpty()) {
      addWhatCouldBeDropped();
    }
    if (found.isEmpty()) {
      found.add(unmetConstraint(Constraint.COMBINATION, "all tasks at once", job.tasks(), 0));
    }
    return List.copyOf(found);
  }

  private void addWhatIsNowhere() {
    ClusterTopology topology = index.topology();
    gang.topology().levels().stream()
        .filter(level -> topology.levelPosition(level).isEmpty())
        .map(level -> unmetConstraint(Constraint.TOPOLOGY_LEVEL, "level '" + level + "'", 1, 0))
        .forEach(found::add);
    if (!gang.allowsAnyNode()) {
      found.add(unmetConstraint(Constraint.NODE_LABELS, "labels " + job.nodeLabels(), 1, 0));
    }
    gang.tasks().stream().filter(task -> task.gpus() > 0).forEach(this::addMissingKinds);
  }

  private void addMissingKinds(TaskShape task) {
    List<GpuPool> ofModel = poolsOfModels();
    long largest = ofModel.stream().mapToLong(pool -> pool.memory().bytes()).max().orElse(0);
    String scope = scope(task);
    if (ofModel.isEmpty()) {
      String known = "models " + job.gpuModels() + " of " + index.topology().gpusByModel().keySet();
      String models = job.gpuModels().isEmpty() ? "any GPU" : known;
      found.add(unmetConstraint(Constraint.GPU_MODEL, models, job.gpus(), 0));
    } else if (task.gpuMemory() > largest) {
      found.add(unmetConstraint(Constraint.GPU_MEMORY, scope, task.gpuMemory(), largest));
    } else if (allowedPools(task).isEmpty()) {
      int most = ofModel.stream().mapToInt(GpuPool::maxFree).max().orElse(0);
      found.add(unmetConstraint(Constraint.GPUS_PER_NODE, scope, task.gpus(), most));
    }
  }

  private void addMissingGpus() {
    TaskShape hardest = gang.tasks().get(0);
    int free = allowedPools(hardest).stream().mapToInt(this::freeGpus).sum();
    if (gang.wholeGpus() > free) {
      found.add(unmetConstraint(Constraint.GPUS, "the job", gang.wholeGpus(), free));
    } else if (job.gpuModels().size() > 1) {
      addMissingGpusOfOneModel(hardest);
    }
  }

  /** A job that names models runs on one of them, so that the free GPUs of each count alone. */
  private void addMissingGpusOfOneModel(TaskShape hardest) {
    Map<GpuModel, Integer> free = new TreeMap<>();
    for (GpuPool pool : allowedPools(hardest)) {
      pool.model().ifPresent(model -> free.merge(model, freeGpus(pool), Integer::sum));
    }
    free.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> gang.wholeGpus() > most.getValue())
        .map(most -> new UnmetConstraint.ClosestFit(most.getKey().name(), most.getValue()))
        .ifPresent(
            fit ->
                found.add(
                    new UnmetConstraint(
                        Constraint.GPUS,
                        "the job, on one model",
                        gang.wholeGpus(),
                        fit.available(),
                        Optional.of(fit))));
  }

  private int freeGpus(GpuPool pool) {
    if (job.nodeLabels().isEmpty()) {
      return pool.freeGpus();
    }
    int free = 0;
    for (int slot = 0; slot < pool.size(); slot++) {
      free += gang.allows(pool.nodeOf(slot)) ? Math.max(0, pool.free(slot)) : 0;
    }
    return free;
  }

  private void addGpusPerNode() {
    for (TaskShape task : gang.tasks()) {
      if (task.wholeGpus() > 1) {
        addGpusPerNode(task);
      }
    }
  }

  private void addGpusPerNode(TaskShape task) {
    int most = -1;
    int at = -1;
    for (GpuPool pool : allowedPools(task)) {
      for (int free = pool.maxFree(); free > most; free--) {
        int slot = pool.next(free, 0, pool.size(), 0, 0);
        while (slot >= 0 && !gang.allows(pool.nodeOf(slot))) {
          slot = pool.next(free, slot + 1, pool.size(), 0, 0);
        }
        if (slot >= 0) {
          most = free;
          at = pool.nodeOf(slot);
        }
      }
    }
    if (most < task.gpus()) {
      found.add(
          new UnmetConstraint(
              Constraint.GPUS_PER_NODE,
              scope(task),
              task.gpus(),
              Math.max(0, most),
              closestOn(at, most)));
    }
  }

  private void addWhatCouldBeDropped() {
    if (!gang.topology().levels().isEmpty()
        && fits(job.toBuilder().topology(TopologyConstraint.NONE).build())) {
      addTopology();
    }
    addIfDropped(Constraint.CPU, request -> request.toBuilder().cpu(CpuCores.ZERO).build());
    addIfDropped(Constraint.MEMORY, request -> request.toBuilder().memory(Memory.ZERO).build());
    addIfDropped(Constraint.GPU_MEMORY, d -> d.toBuilder().gpuMemory(Memory.ZERO).build());
    if (!job.nodeLabels().isEmpty() && fits(withoutLabels())) {
      found.add(
          unmetConstraint(Constraint.NODE_LABELS, "labels " + job.nodeLabels(), job.gpus(), 0));
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
    for (GpuPool pool : allowedPools(gang.tasks().get(0))) {
      if (position < pool.levels().size()) {
        DomainLevel domains = pool.levels().get(position);
        int freest = domains.freest();
        if (freest >= 0 && (best.isEmpty() || domains.free(freest) > most)) {
          most = domains.free(freest);
          best = nameOf(level, pool.nodeOf(domains.first(freest)));
        }
      }
    }
    Optional<UnmetConstraint.ClosestFit> closest =
        best.isEmpty() ? Optional.empty() : Optional.of(new UnmetConstraint.ClosestFit(best, most));
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

  /** Adds an unmet constraint if the job would fit if it requested none of the resource. */
  private void addIfDropped(Constraint constraint, UnaryOperator<ResourceRequest> drop) {
    List<TaskRole> relaxed =
        job.roles().stream()
            .map(role -> new TaskRole(role.name(), role.count(), drop.apply(role.request())))
            .toList();
    JobSpec without = job.toBuilder().roles(relaxed).build();
    placer
        .place(state, without)
        .filter(placement -> isRequested(constraint))
        .ifPresent(placement -> addDropped(constraint, placement.tasks().get(0).node()));
  }

  private boolean isRequested(Constraint constraint) {
    return gang.tasks().stream().anyMatch(task -> amount(constraint, task) > 0);
  }

  private void addDropped(Constraint constraint, NodeId node) {
    TaskShape greediest = gang.tasks().get(0);
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
            scope(greediest) + ", with the GPUs it needs",
            amount(constraint, greediest),
            available,
            closestOn(position, available)));
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

  private JobSpec withoutLabels() {
    return job.toBuilder().nodeLabels(Map.of()).build();
  }

  private List<GpuPool> poolsOfModels() {
    return index.pools().stream()
        .filter(
            pool ->
                pool.model()
                    .filter(m -> job.gpuModels().isEmpty() || job.gpuModels().contains(m))
                    .isPresent())
        .toList();
  }

  private List<GpuPool> allowedPools(TaskShape task) {
    return index.pools().stream().filter(pool -> gang.allows(task, pool)).toList();
  }

  private Optional<UnmetConstraint.ClosestFit> closestOn(int node, long available) {
    return node < 0
        ? Optional.empty()
        : Optional.of(
            new UnmetConstraint.ClosestFit(
                "node '" + index.topology().nodes().get(node).id() + "'", available));
  }

  private static String scope(TaskShape task) {
    return "each task of role '" + task.role().name() + "'";
  }

  private static UnmetConstraint unmetConstraint(
      Constraint constraint, String scope, long requested, long available) {
    return new UnmetConstraint(constraint, scope, requested, available, Optional.empty());
  }
}
