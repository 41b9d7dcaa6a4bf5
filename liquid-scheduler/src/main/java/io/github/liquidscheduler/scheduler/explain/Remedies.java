package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.makeroom.LeavingSearch;
import io.github.liquidscheduler.placement.makeroom.MakeRoom;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.timeline.Timeline;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Changes that would let one job run, each tried out. */
final class Remedies {

  private final Placer placer;
  private final ClusterState state;
  private final JobSpec job;

  Remedies(Placer placer, ClusterState state, JobSpec job) {
    this.placer = placer;
    this.state = state;
    this.job = job;
  }

  /** Returns the narrowest level, wider than the required one, in one domain of which it fits. */
  Optional<Counterfactual> widerLevel() {
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
   * Returns the largest number of tasks in the first role that fits, found by halving; it is exact
   * where fewer tasks fit whenever more do.
   */
  Optional<Counterfactual> fewerTasks() {
    int fitting = 0;
    int tooMany = job.roles().get(0).count();
    while (tooMany - fitting > 1) {
      int middle = (fitting + tooMany) >>> 1;
      if (fits(withTasks(middle))) {
        fitting = middle;
      } else {
        tooMany = middle;
      }
    }
    return fitting == 0
        ? Optional.empty()
        : Optional.of(new Counterfactual.FewerTasks(fitting, withTasks(fitting).gpus()));
  }

  /** Returns the first model, by name, that the job does not allow and would fit on. */
  Optional<Counterfactual> otherModel() {
    if (job.gpuModels().isEmpty()) {
      return Optional.empty();
    }
    return state.topology().gpusByModel().keySet().stream()
        .filter(model -> !job.gpuModels().contains(model))
        .filter(model -> fits(job.toBuilder().gpuModels(List.of(model)).build()))
        .findFirst()
        .map(Counterfactual.OtherModel::new);
  }

  /**
   * Returns the running jobs, the next to end first, after whose ends the job would fit.
   *
   * @param leastGpus a number of wholly free GPUs without which the job cannot fit, or 0
   */
  Optional<Counterfactual> afterJobsEnd(Timeline timeline, int leastGpus) {
    return new MakeRoom(state.copy(), placer, job, leastGpus)
        .first(timeline.jobs())
        .map(LeavingSearch.Room::leaving)
        .map(
            gone ->
                new Counterfactual.AfterJobsEnd(
                    gone.stream().map(JobEntry::id).toList(), timeline.endOf(gone.size())));
  }

  private boolean fits(JobSpec changed) {
    return placer.place(state, changed).isPresent();
  }

  private JobSpec withTasks(int tasks) {
    List<TaskRole> roles = new ArrayList<>(job.roles());
    TaskRole first = roles.get(0);
    roles.set(0, new TaskRole(first.name(), tasks, first.request()));
    return job.toBuilder().roles(roles).parallelism(Parallelism.fixed(tasks)).build();
  }
}
