package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Where all tasks of a job run.
 *
 * @param job the job
 * @param tasks the tasks in the order of the job's roles and of their indices, at least one
 */
public record Placement(JobId job, List<TaskPlacement> tasks) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if there is no task
   */
  public Placement {
    Objects.requireNonNull(job, "job");
    tasks = List.copyOf(tasks);
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException(
          "a placement needs at least one task, but had none, for job '" + job + "'");
    }
  }

  /** Returns the number of GPUs of all tasks; a share counts as one GPU. */
  public int gpus() {
    int gpus = 0;
    for (TaskPlacement task : tasks) {
      gpus += task.gpus().size();
    }
    return gpus;
  }

  /** Returns the nodes that hold at least one task, in the order of the tasks. */
  public Set<NodeId> nodes() {
    Set<NodeId> nodes = new LinkedHashSet<>();
    for (TaskPlacement task : tasks) {
      nodes.add(task.node());
    }
    return nodes;
  }

  /** Returns the job and its tasks on one line. */
  @Override
  public String toString() {
    return job + ": " + tasks;
  }

  /**
   * Returns a job at the size that it has here; itself if it has one size only.
   *
   * @throws IllegalArgumentException if it is not allowed to have that size
   */
  public JobSpec sized(JobSpec job) {
    int others = job.tasks() - job.roles().getFirst().count();
    return job.parallelism().isElastic() ? job.atSize(tasks.size() - others) : job;
  }
}
