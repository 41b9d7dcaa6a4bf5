package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.Objects;

/**
 * A task that holds a GPU, or a share of it.
 *
 * @param share the share of the GPU's compute it holds
 * @param memory the device memory it holds; {@link Memory#ZERO} if it stated none
 */
public record Resident(JobId job, TaskId task, GpuShare share, Memory memory) {

  /** Checks that nothing is null. */
  public Resident {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(task, "task");
    Objects.requireNonNull(share, "share");
    Objects.requireNonNull(memory, "memory");
  }
}
