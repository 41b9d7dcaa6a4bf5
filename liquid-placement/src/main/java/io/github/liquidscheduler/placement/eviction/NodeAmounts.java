package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.List;

/**
 * The amounts of each resource that a node has, or that a task requests.
 *
 * @param gpus wholly free GPUs
 * @param share the share of one GPU, in thousandths
 * @param cpu CPU in millicores
 * @param memory host memory in bytes
 */
public record NodeAmounts(int gpus, int share, long cpu, long memory) {

  /** Less than anything. */
  public static final NodeAmounts NOTHING = new NodeAmounts(-1, -1, -1, -1);

  /** Returns the smallest amounts that a task of any role of a job requests. */
  public static NodeAmounts leastOf(JobSpec job, List<TaskShape> tasks) {
    boolean mayShare = !(job.sharing() instanceof Sharing.Exclusive);
    int gpus = Integer.MAX_VALUE;
    int share = 1000;
    long cpu = Long.MAX_VALUE;
    long memory = Long.MAX_VALUE;
    for (TaskShape task : tasks) {
      gpus = Math.min(gpus, mayShare || task.isShare() ? 0 : task.gpus());
      share = Math.min(share, task.gpus() == 0 ? 0 : mayShare ? 1 : task.share());
      cpu = Math.min(cpu, task.cpu());
      memory = Math.min(memory, task.memory());
    }
    return new NodeAmounts(gpus, share, cpu, memory);
  }

  /** Returns true if these are at least the requested amounts of every resource. */
  public boolean hold(NodeAmounts requested) {
    return requested.gpus <= gpus
        && requested.share <= share
        && requested.cpu <= cpu
        && requested.memory <= memory;
  }
}
