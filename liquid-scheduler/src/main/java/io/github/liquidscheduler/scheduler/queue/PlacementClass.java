package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All of a job that a placer may look at to say whether it fits. Jobs of one class fit or do not
 * fit together, so one failed attempt speaks for all of them.
 */
public final class PlacementClass {

  private final List<Object> parts;
  private final int hash;
  private final int leastGpus;
  private final List<TaskShape> tasks;
  private final int leastWholeGpus;
  private final long leastCpu;
  private final long leastMemory;

  /** Makes the class that the job belongs to. */
  public PlacementClass(JobSpec job) {
    parts =
        List.of(
            job.queue(),
            job.roles(),
            job.workload(),
            job.communication(),
            job.parallelism(),
            job.synchronization(),
            job.topology(),
            job.sharing(),
            job.gpuModels(),
            List.of(job.nodeLabels(), job.excludedNodes()));
    hash = parts.hashCode();
    leastGpus = leastGpus(job);
    tasks = job.roles().stream().map(TaskShape::of).toList();
    boolean mayShare = !(job.sharing() instanceof Sharing.Exclusive);
    leastWholeGpus =
        tasks.stream()
            .mapToInt(task -> mayShare || task.isShare() ? 0 : task.gpus())
            .min()
            .orElse(0);
    leastCpu = tasks.stream().mapToLong(TaskShape::cpu).min().orElse(0);
    leastMemory = tasks.stream().mapToLong(TaskShape::memory).min().orElse(0);
  }

  /** Returns the request of each task, role by role. */
  public List<TaskShape> tasks() {
    return tasks;
  }

  /**
   * Returns false if these amounts are too little for a task of any role.
   *
   * @param gpus wholly free GPUs
   * @param cpu CPU in millicores
   * @param memory host memory in bytes
   */
  public boolean mayFit(int gpus, long cpu, long memory) {
    return leastWholeGpus <= gpus && leastCpu <= cpu && leastMemory <= memory;
  }

  /**
   * Returns a number of whole GPUs without which no placement of the job can do; 0 if it may share
   * GPUs with others.
   */
  public int leastGpus() {
    return leastGpus;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof PlacementClass that && hash == that.hash && parts.equals(that.parts));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  private static int leastGpus(JobSpec job) {
    boolean whole =
        job.synchronization() instanceof Synchronization.Gang
            && job.sharing() instanceof Sharing.Exclusive
            && !job.parallelism().isElastic();
    return whole
        ? job.roles().stream()
            .filter(role -> role.request().share().isEmpty())
            .mapToInt(TaskRole::gpus)
            .sum()
        : 0;
  }
}
