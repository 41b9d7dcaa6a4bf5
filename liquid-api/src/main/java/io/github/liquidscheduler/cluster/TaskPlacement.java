package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuShare;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The node and GPUs of one task, and what it is granted there.
 *
 * @param gpus the numbers of the GPUs on the node, ascending; as many as the request asks for
 * @param request what the task is granted: what was asked, with what the estimator filled in
 */
public record TaskPlacement(TaskId task, NodeId node, List<Integer> gpus, ResourceRequest request) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if the GPUs do not ascend or are not as many as demanded
   */
  public TaskPlacement {
    Objects.requireNonNull(task, "task");
    Objects.requireNonNull(node, "node");
    gpus = List.copyOf(gpus);
    if (gpus.size() != request.gpus()) {
      throw new IllegalArgumentException(
          "a task must be placed on as many GPUs as it requests, but %d were given for %s, task %s"
              .formatted(gpus.size(), request, task));
    }
    int previous = -1;
    for (int gpu : gpus) {
      if (gpu <= previous) {
        throw new IllegalArgumentException(
            "a task's GPUs must ascend from at least 0, but were " + gpus + ", for task " + task);
      }
      previous = gpu;
    }
  }

  /** Returns its GPUs, ascending. */
  public Stream<GpuId> gpuIds() {
    return gpus.stream().map(gpu -> new GpuId(node, gpu));
  }

  /** Returns the share of each GPU that the task is granted. */
  public GpuShare share() {
    return request.share().orElse(GpuShare.WHOLE);
  }

  /**
   * Returns the task and its GPUs, such as {@code worker/0 on n7[0, 1]}, with its share if it has
   * one.
   */
  @Override
  public String toString() {
    String place = task + " on " + node + gpus;
    return request.share().map(share -> place + " (" + share + ")").orElse(place);
  }
}
