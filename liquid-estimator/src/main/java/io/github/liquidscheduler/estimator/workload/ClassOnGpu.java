package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.Comparator;

/**
 * A class of workloads on a GPU model, ordered by its names.
 *
 * @param workload the class
 * @param gpu where it runs
 */
public record ClassOnGpu(WorkloadClass workload, GpuModel gpu) implements Comparable<ClassOnGpu> {
  private static final Comparator<ClassOnGpu> BY_NAME =
      Comparator.comparing((ClassOnGpu each) -> each.workload.toString())
          .thenComparing(ClassOnGpu::gpu);

  @Override
  public int compareTo(ClassOnGpu other) {
    return BY_NAME.compare(this, other);
  }
}
