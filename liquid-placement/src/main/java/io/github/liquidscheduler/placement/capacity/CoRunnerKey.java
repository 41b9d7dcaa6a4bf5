package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;

/**
 * The properties of a task on a shared GPU that matter to the others there. Tasks with equal keys
 * are equal co-runners.
 *
 * @param kind its workload and its job's sharing promise
 * @param share the share of the GPU it holds
 * @param memory the device memory it holds
 */
public record CoRunnerKey(CoRunnerKind kind, GpuShare share, Memory memory) {

  /** Makes the key of a task. */
  public CoRunnerKey(Workload workload, Sharing sharing, GpuShare share, Memory memory) {
    this(new CoRunnerKind(workload, sharing), share, memory);
  }

  /** Returns its workload. */
  public Workload workload() {
    return kind.workload();
  }

  /** Returns the sharing promise of its job. */
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
