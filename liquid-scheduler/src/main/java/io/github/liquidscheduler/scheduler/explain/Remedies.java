package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.state.NodeFailures;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Changes that would let one job start, each verified by a placement. */
final class Remedies {

  private final Placer placer;
  private final ClusterState state;
  private final NodeFailures failures;
  private final JobSpec job;
  private final Set<Constraint> unmet;

  Remedies(
      Placer placer,
      ClusterState state,
      NodeFailures failures,
      JobSpec job,
      List<UnmetConstraint> unmet) {
    this.placer = placer;
    this.state = state;
    this.failures = failures;
    this.job = job;
    this.unmet =
        unmet.stream()
            .map(UnmetConstraint::constraint)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Constraint.class)));
  }

  /** Returns the remedies, least intrusive first. */
  List<Counterfactual> all() {
    return Stream.of(
            widerLevel(),
            withoutLabels(),
            lessOf(Constraint.CPU),
            lessOf(Constraint.MEMORY),
            fewerTasks(),
            otherModel(),
            new FitAfterReturn(state, failures, placer, job).find())
        .flatMap(Optional::stream)
        .toList();
  }

  /** Returns the narrowest level wider than the required one at which the job fits. */
  private Optional<Counterfactual> widerLevel() {
    List<String> levels = state.topology().levels();
    int required = job.topology().required().map(levels::indexOf).orElse(0);
    for (int level = required - 1; level >= 0; level--) {
      TopologyConstraint wider =
          level == 0 ? TopologyConstraint.NONE : TopologyConstraint.required(levels.get(level));
      if (fits(job.toBuilder().topology(wider).build())) {
        return Optional.of(new Counterfactual.WiderLevel(levels.get(level)));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the largest fitting number of tasks in the first role, by bisection below what the free
   * GPUs allow, which is tried first; exact if fewer tasks fit whenever more do.
   */
  private Optional<Counterfactual> fewerTasks() {
    int fitting = 0;
    int tooMany = job.roles().getFirst().count();
    int next = Math.min(tooMany - 1, tasksOnFreeGpus());
    while (tooMany - fitting > 1 && next > 0) {
      if (fits(withTasks(next))) {
        fitting = next;
      } else {
        tooMany = next;
      }
      next = (fitting + tooMany) >>> 1;
    }
    return fitting == 0
        ? Optional.empty()
        : Optional.of(new Counterfactual.FewerTasks(fitting, withTasks(fitting).gpus()));
  }

  /** Returns how many tasks of the first role the free GPUs allow at most. */
  private int tasksOnFreeGpus() {
    int gpusOfTask = job.roles().getFirst().request().gpus();
    return gpusOfTask == 0 || !(job.sharing() instanceof Sharing.Exclusive)
        ? Integer.MAX_VALUE
        : (state.freeGpus() - (job.gpus() - job.roles().getFirst().gpus())) / gpusOfTask;
  }

  /** Returns the first other GPU model, by name, on which the job would fit. */
  private Optional<Counterfactual> otherModel() {
    if (job.gpuModels().isEmpty()) {
      return Optional.empty();
    }
    return state.topology().gpusByModel().keySet().stream()
        .filter(model -> !job.gpuModels().contains(model))
        .filter(model -> fits(job.toBuilder().gpuModels(List.of(model)).build()))
        .findFirst()
        .map(Counterfactual.OtherModel::new);
  }

  private Optional<Counterfactual> withoutLabels() {
    Map<String, String> all = new TreeMap<>(job.nodeLabels());
    job.roles().forEach(role -> all.putAll(role.nodeLabels()));
    List<TaskRole> anywhere = job.roles().stream().map(role -> role.on(Map.of())).toList();
    return !all.isEmpty() && fits(job.toBuilder().nodeLabels(Map.of()).roles(anywhere).build())
        ? Optional.of(new Counterfactual.WithoutLabels(all))
        : Optional.empty();
  }

  /** Returns the first role whose smaller CPU or memory request would let the job fit. */
  private Optional<Counterfactual> lessOf(Constraint resource) {
    return unmet.contains(resource)
        ? job.roles().stream()
            .map(role -> new RequestReduction(resource, role, job, state).request(placer))
            .flatMap(Optional::stream)
            .findFirst()
        : Optional.empty();
  }

  private boolean fits(JobSpec changed) {
    return placer.place(state, changed).isPresent();
  }

  private JobSpec withTasks(int tasks) {
    List<TaskRole> roles = new ArrayList<>(job.roles());
    roles.set(0, roles.get(0).withCount(tasks));
    return job.toBuilder().roles(roles).parallelism(Parallelism.fixed(tasks)).build();
  }
}
