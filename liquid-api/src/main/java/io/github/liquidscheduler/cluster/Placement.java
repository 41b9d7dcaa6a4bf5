package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.RoleCounts;
import io.github.liquidscheduler.job.TaskRole;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The nodes and GPUs of all tasks of a job.
 *
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

  /** Returns the GPUs of all tasks, in the order of the tasks. */
  public Stream<GpuId> gpuIds() {
    return tasks.stream().flatMap(TaskPlacement::gpuIds);
  }

  /** Returns the nodes that hold at least one task, in the order of the tasks. */
  public Set<NodeId> nodes() {
    if (tasks.size() == 1) {
      return Collections.singleton(tasks.getFirst().node());
    }
    Set<NodeId> nodes = new LinkedHashSet<>();
    for (TaskPlacement task : tasks) {
      nodes.add(task.node());
    }
    return Collections.unmodifiableSet(nodes);
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
    return job.parallelism().isElastic() ? counts(job).sized() : job;
  }

  /**
   * Returns the numbers of tasks of the roles of a job here.
   *
   * @throws IllegalArgumentException if it may not run with them
   */
  public RoleCounts counts(JobSpec job) {
    return new RoleCounts(job, tasksOf(job));
  }

  /** Returns the size that a job has here: the tasks of its sized roles. */
  public int size(JobSpec job) {
    int others = job.tasks();
    for (TaskRole role : job.sizedRoles()) {
      others -= role.count();
    }
    return tasks.size() - others;
  }

  /** Returns the numbers of tasks of the roles of a job here, in the order of its roles. */
  public List<Integer> tasksOf(JobSpec job) {
    if (job.roles().size() == 1) {
      return List.of(tasksOf(job.roles().getFirst()));
    }
    Map<String, Integer> counts = new LinkedHashMap<>();
    job.roles().forEach(role -> counts.put(role.name(), 0));
    for (TaskPlacement task : tasks) {
      counts.merge(task.task().role(), 1, Integer::sum);
    }
    return job.roles().stream().map(role -> counts.getOrDefault(role.name(), 0)).toList();
  }

  private int tasksOf(TaskRole role) {
    int count = 0;
    for (TaskPlacement task : tasks) {
      count += task.task().role().equals(role.name()) ? 1 : 0;
    }
    return count;
  }
}
