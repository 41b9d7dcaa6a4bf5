package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;

/**
 * All of a task on a shared GPU that matters to the others there. Tasks that are equal in it are
 * the same co-runners.
 *
 * @param kind what it computes and what its job was promised
 * @param share the share of the GPU it holds
 * @param memory the device memory it holds
 */
public record CoRunnerKey(CoRunnerKind kind, GpuShare share, Memory memory) {

  /** Makes the key of a task that computes this and whose job was promised that. */
  public CoRunnerKey(Workload workload, Sharing sharing, GpuShare share, Memory memory) {
    this(new CoRunnerKind(workload, sharing), share, memory);
  }

  /** Returns what it computes. */
  public Workload workload() {
    return kind.workload();
  }

  /** Returns what its job was promised. */
  public Sharing sharing() {
    return kind.sharing();
  }

  // Amounts of memory differ in few bits only, which are spread by Fibonacci hashing.
  @Override
  public int hashCode() {
    long spread = memory.bytes() * 0x9E3779B97F4A7C15L;
    return 31 * (31 * kind.hashCode() + share.thousandths()) + (int) (spread >>> 32);
  }
}
