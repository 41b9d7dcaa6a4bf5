package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.placement.eviction.NodeAmounts;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a job that decide whether it fits. Jobs of one class fit or fail together, so
 * that one failed attempt speaks for all.
 */
public final class PlacementClass {

  private final JobSpec job;
  private final int hash;
  private final int leastGpus;
  private final List<TaskShape> tasks;
  private final NodeAmounts leastTask;
  private final @Nullable CoRunnerKind sharesAs;

  /** Makes the class of a job. */
  public PlacementClass(JobSpec job) {
    this.job = job;
    leastGpus = leastGpus(job);
    tasks = tasks(job);
    hash = hash(job, tasks);
    leastTask = NodeAmounts.leastOf(job, tasks);
    sharesAs = CandidateJob.mayShare(job) ? CoRunnerKind.of(job) : null;
  }

  /** Returns the request of each task, role by role. */
  public List<TaskShape> tasks() {
    return tasks;
  }

  /** Returns the least that a task of any role requests of a node. */
  public NodeAmounts leastTask() {
    return leastTask;
  }

  /**
   * Returns the number of whole GPUs that every placement of the job needs; 0 if it may share GPUs.
   */
  public int leastGpus() {
    return leastGpus;
  }

  /** Returns its kind as a co-runner, or null if it does not share GPUs. */
  public @Nullable CoRunnerKind sharesAs() {
    return sharesAs;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof PlacementClass that && hash == that.hash && areAlike(job, that.job));
  }

  // Jobs of one description often share its components, whose comparison is then immediate.
  private static boolean areAlike(JobSpec one, JobSpec other) {
    return one.queue().equals(other.queue())
        && one.roles().equals(other.roles())
        && one.groups().equals(other.groups())
        && one.workload().equals(other.workload())
        && one.communication().equals(other.communication())
        && one.parallelism().equals(other.parallelism())
        && one.synchronization().equals(other.synchronization())
        && one.topology().equals(other.topology())
        && one.sharing().equals(other.sharing())
        && one.gpuModels().equals(other.gpuModels())
        && one.nodeLabels().equals(other.nodeLabels())
        && one.excludedNodes().equals(other.excludedNodes())
        && one.isPreemptible() == other.isPreemptible();
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /**
   * Returns a hash of the properties that mostly differ; the rest would cost more than it saves.
   */
  private static int hash(JobSpec job, List<TaskShape> tasks) {
    int hash = 31 * job.queue().hashCode() + job.workload().hashCode();
    hash = 31 * hash + job.gpuModels().hashCode();
    hash = 31 * hash + job.excludedNodes().hashCode();
    for (TaskShape task : tasks) {
      hash = 31 * hash + task.role().count();
      hash = 31 * hash + task.gpus();
      hash = 31 * hash + task.share();
      hash = 31 * hash + Long.hashCode(task.gpuMemory());
      hash = 31 * hash + Long.hashCode(task.cpu());
      hash = 31 * hash + Long.hashCode(task.memory());
    }
    return hash;
  }

  private static List<TaskShape> tasks(JobSpec job) {
    if (job.roles().size() == 1) {
      return List.of(TaskShape.of(job.roles().getFirst()));
    }
    return job.roles().stream().map(TaskShape::of).toList();
  }

  private static int leastGpus(JobSpec job) {
    boolean whole =
        job.synchronization() instanceof Synchronization.Gang
            && job.sharing() instanceof Sharing.Exclusive
            && !job.parallelism().isElastic();
    int gpus = 0;
    for (TaskRole role : job.roles()) {
      gpus += whole && role.request().share().isEmpty() ? role.gpus() : 0;
    }
    return gpus;
  }
}
