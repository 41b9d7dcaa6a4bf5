package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.GangResize;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A placer of further tasks for a running job. They run on GPUs of the job's present model, if the
 * question allows it.
 *
 * @param placer places other jobs
 * @param job the job
 * @param has its present placement
 */
record AdditionalTasksPlacer(Placer placer, JobSpec job, Placement has) implements Placer {

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec asked) {
    return asked.id().equals(job.id())
        ? new GangResize(ClusterState.of(view), onModelsOf(asked), has)
            .larger(has.size(job) + asked.tasks())
            .map(this::without)
        : placer.place(view, asked);
  }

  /** Returns the job with the allowed GPU models of the additional tasks. */
  private JobSpec onModelsOf(JobSpec asked) {
    return asked.gpuModels().equals(job.gpuModels())
        ? job
        : job.toBuilder().gpuModels(asked.gpuModels()).build();
  }

  /** Returns the tasks that the job does not have yet. */
  private Placement without(Placement whole) {
    Set<TaskId> before = new LinkedHashSet<>();
    has.tasks().forEach(task -> before.add(task.task()));
    return new Placement(
        job.id(), whole.tasks().stream().filter(task -> !before.contains(task.task())).toList());
  }

  /** Returns the placement with the additional tasks, numbered after the present ones. */
  static Placement together(JobSpec job, Placement has, Placement more) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (TaskRole role : job.roles()) {
      for (Placement some : List.of(has, more)) {
        some.tasks().stream()
            .filter(task -> task.task().role().equals(role.name()))
            .forEach(tasks::add);
      }
    }
    return new Placement(job.id(), tasks);
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec asked) {
    return placer.unmetConstraints(view, asked);
  }
}
