package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.explanation.UnmetConstraint.ClosestFit;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Finds the GPUs that a job lacks, apart from its other requests. */
record UnmetGpus(CapacityIndex index, GangShape gang) {

  /** Returns the pools whose GPUs a task may use. */
  private List<GpuPool> allowedPools(TaskShape task) {
    return index.pools().stream().filter(pool -> gang.allows(task, pool)).toList();
  }

  /** Returns the GPUs that the cluster lacks even if all are free. */
  List<UnmetConstraint> absent() {
    return gang.tasks().stream()
        .filter(task -> task.gpus() > 0)
        .map(this::absent)
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  private Optional<UnmetConstraint> absent(TaskShape task) {
    List<GpuPool> ofModel =
        index.pools().stream().filter(pool -> pool.isAllowedTo(gang.job())).toList();
    long largest = ofModel.stream().mapToLong(pool -> pool.memory().bytes()).max().orElse(0);
    if (ofModel.isEmpty()) {
      String known =
          "models " + gang.job().gpuModels() + " of " + index.topology().gpusByModel().keySet();
      String models = gang.job().gpuModels().isEmpty() ? "any GPU" : known;
      return Optional.of(unmet(Constraint.GPU_MODEL, models, gang.job().gpus(), 0));
    }
    if (task.gpuMemory() > largest) {
      return Optional.of(unmet(Constraint.GPU_MEMORY, scope(task), task.gpuMemory(), largest));
    }
    if (allowedPools(task).isEmpty()) {
      int most =
          ofModel.stream()
              .filter(pool -> task.gpuMemory() <= pool.memory().bytes())
              .mapToInt(GpuPool::maxFree)
              .max()
              .orElse(0);
      return Optional.of(unmet(Constraint.GPUS_PER_NODE, scope(task), task.gpus(), most));
    }
    return Optional.empty();
  }

  /** Returns the lack of free GPUs in sum, or of any one model if the job needs a single model. */
  Optional<UnmetConstraint> inSum() {
    List<GpuPool> allowed =
        index.pools().stream()
            .filter(pool -> pool.isAllowedTo(gang.job()))
            .filter(pool -> gang.tasks().stream().anyMatch(task -> gang.allows(task, pool)))
            .toList();
    int free = allowed.stream().mapToInt(this::freeGpus).sum();
    if (gang.wholeGpus() > free) {
      boolean isAlone = gang.job().sharing() instanceof Sharing.Exclusive;
      String scope = isAlone ? "the job" : "the job, on GPUs that nobody shares with it";
      return Optional.of(unmet(Constraint.GPUS, scope, gang.wholeGpus(), free));
    }
    return gang.job().gpuModels().size() > 1 ? ofOneModel(allowed) : Optional.empty();
  }

  /** A job that names models runs on one of them, so that the free GPUs of each count alone. */
  private Optional<UnmetConstraint> ofOneModel(List<GpuPool> allowed) {
    Map<GpuModel, Integer> free = new TreeMap<>();
    for (GpuPool pool : allowed) {
      pool.model().ifPresent(model -> free.merge(model, freeGpus(pool), Integer::sum));
    }
    return free.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> gang.wholeGpus() > most.getValue())
        .map(most -> new ClosestFit(most.getKey().name(), most.getValue()))
        .map(
            fit ->
                new UnmetConstraint(
                    Constraint.GPUS,
                    "the job, on one model",
                    gang.wholeGpus(),
                    fit.available(),
                    Optional.of(fit)));
  }

  private int freeGpus(GpuPool pool) {
    if (gang.allowsAllNodes()) {
      return pool.freeGpus();
    }
    int free = 0;
    for (int slot = 0; slot < pool.size(); slot++) {
      free += gang.allows(pool.nodeOf(slot)) ? Math.max(0, pool.free(slot)) : 0;
    }
    return free;
  }

  /** Returns the tasks that need more GPUs than any node has free. */
  List<UnmetConstraint> onOneNode() {
    return gang.tasks().stream()
        .filter(task -> task.wholeGpus() > 1)
        .map(this::onOneNode)
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<UnmetConstraint> onOneNode(TaskShape task) {
    int most = -1;
    int node = -1;
    for (GpuPool pool : allowedPools(task)) {
      for (int free = pool.maxFree(); free > most; free--) {
        int slot = firstAllowed(task, pool, free);
        if (slot >= 0) {
          most = free;
          node = pool.nodeOf(slot);
        }
      }
    }
    if (most >= task.gpus()) {
      return Optional.empty();
    }
    return Optional.of(
        new UnmetConstraint(
            Constraint.GPUS_PER_NODE,
            scope(task),
            task.gpus(),
            Math.max(0, most),
            closestOn(index.topology(), node, most)));
  }

  private int firstAllowed(TaskShape task, GpuPool pool, int free) {
    int slot = pool.next(free, 0, pool.size(), 0, 0);
    while (slot >= 0 && !gang.allows(task, pool.nodeOf(slot))) {
      slot = pool.next(free, slot + 1, pool.size(), 0, 0);
    }
    return slot;
  }

  /** Returns the node at a position as the closest fit; none if the position is below zero. */
  static Optional<ClosestFit> closestOn(ClusterTopology topology, int node, long available) {
    return node < 0
        ? Optional.empty()
        : Optional.of(new ClosestFit("node '" + topology.nodes().get(node).id() + "'", available));
  }

  /** Returns the name of each task of a role in messages. */
  static String scope(TaskShape task) {
    return "each task of role '" + task.role().name() + "'";
  }

  /** Returns an unmet constraint without a closest fit. */
  static UnmetConstraint unmet(
      Constraint constraint, String scope, long requested, long available) {
    return new UnmetConstraint(constraint, scope, requested, available, Optional.empty());
  }
}
