package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;

/**
 * All of a task on a shared GPU that matters to the others there. Tasks that are equal in it are
 * the same co-runners.
 *
 * @param workload what it computes
 * @param sharing what its job was promised
 * @param share the share of the GPU it holds
 * @param memory the device memory it holds
 */
public record CoRunnerKey(Workload workload, Sharing sharing, GpuShare share, Memory memory) {

  // Amounts of memory differ in few bits only, which are spread by Fibonacci hashing.
  @Override
  public int hashCode() {
    int other = 31 * sharing.hashCode() + share.thousandths();
    long spread = memory.bytes() * 0x9E3779B97F4A7C15L;
    return 31 * (31 * workload.hashCode() + other) + (int) (spread >>> 32);
  }

  /** Returns the kind of those who are equal in it. */
  public CoRunnerKind kind() {
    return new CoRunnerKind(workload, sharing);
  }
}
