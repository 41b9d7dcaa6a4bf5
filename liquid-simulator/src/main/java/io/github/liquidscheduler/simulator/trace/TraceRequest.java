package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;

/**
 * The tasks of a trace's job, at least one of which requests a GPU, and the GPU models that it
 * allows; empty for any. Immutable.
 */
public record TraceRequest(List<TaskRole> roles, List<GpuModel> gpuModels) {

  /**
   * Checks and copies the lists.
   *
   * @throws IllegalArgumentException if no role requests a GPU
   */
  public TraceRequest {
    roles = List.copyOf(roles);
    gpuModels = List.copyOf(gpuModels);
    if (roles.stream().allMatch(role -> role.request().gpus() == 0)) {
      throw new IllegalArgumentException("a job of a trace must request a GPU, but has " + roles);
    }
  }

  /** Returns a request of equal tasks on any GPU model. */
  public static TraceRequest of(int tasks, ResourceRequest each) {
    return new TraceRequest(List.of(new TaskRole("worker", tasks, each)), List.of());
  }

  /** Returns the same request on one of these models only. */
  public TraceRequest on(List<GpuModel> models) {
    return new TraceRequest(roles, models);
  }

  /** Returns the GPUs of all tasks together; a share counts as one GPU. */
  public int gpus() {
    return roles.stream().mapToInt(TaskRole::gpus).reduce(0, Math::addExact);
  }
}
