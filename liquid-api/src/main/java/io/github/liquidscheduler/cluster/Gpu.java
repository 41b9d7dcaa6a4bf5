package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Objects;

/**
 * A GPU of a node.
 *
 * @param memory the device memory
 * @param nvlinkGroup the number of the group of GPUs of the same node that NVLink joins, from 0
 * @param numaNode the number of the NUMA node the device hangs on, from 0
 */
public record Gpu(GpuModel model, Memory memory, int nvlinkGroup, int numaNode) {

  /**
   * Checks the GPU.
   *
   * @throws IllegalArgumentException if the group or the NUMA node is negative
   */
  public Gpu {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(memory, "memory");
    if (nvlinkGroup < 0 || numaNode < 0) {
      throw new IllegalArgumentException(
          "a GPU's NVLink group and NUMA node must not be negative, but were "
              + nvlinkGroup
              + " and "
              + numaNode);
    }
  }

  /** Returns a GPU in NVLink group 0 and NUMA node 0. */
  public static Gpu of(GpuModel model, Memory memory) {
    return new Gpu(model, memory, 0, 0);
  }
}
