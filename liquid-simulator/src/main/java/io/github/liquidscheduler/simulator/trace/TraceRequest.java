package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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

  /**
   * Returns a name that none of a job's roles has, whatever a trace calls them.
   *
   * @param wanted the name
   * @param number what is appended if the name is taken, or else the next number that is free
   */
  static String freeName(List<TaskRole> roles, String wanted, int number) {
    Set<String> taken = roles.stream().map(TaskRole::name).collect(Collectors.toSet());
    String name = wanted;
    for (int next = number; taken.contains(name); next++) {
      name = wanted + "-" + next;
    }
    return name;
  }
}
