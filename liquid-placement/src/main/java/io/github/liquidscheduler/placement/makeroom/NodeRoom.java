package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.List;

/**
 * What one node has free, or would have if some jobs left it: an upper bound that tells at a glance
 * that no task of a job can go there. A GPU that several of those who may leave share counts for
 * each.
 */
public final class NodeRoom {

  private final CapacityIndex index;
  private final int node;
  private int leftGpus;
  private long cpu;
  private long memory;

  /** Makes the room of the node at a position, which is up, that nobody has left yet. */
  public NodeRoom(CapacityIndex index, int node) {
    this.index = index;
    this.node = node;
    cpu = index.freeCpu(node);
    memory = index.freeMemory(node);
  }

  int node() {
    return node;
  }

  /** Adds what a job holds there. */
  public void add(NodeSet left) {
    left.addTo(this);
  }

  void add(int gpus, long cpu, long memory) {
    leftGpus += gpus;
    this.cpu += cpu;
    this.memory += memory;
  }

  /** Returns the wholly free GPUs of all models, with those of jobs that left. */
  public int gpus() {
    int free = leftGpus;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      free += isFree(gpu) ? 1 : 0;
    }
    return free;
  }

  /** Returns the CPU in millicores. */
  public long cpu() {
    return cpu;
  }

  /** Returns the host memory in bytes. */
  public long memory() {
    return memory;
  }

  /** Returns false if no task of the job can go there. */
  public boolean mayHold(JobSpec job, List<TaskShape> tasks) {
    for (TaskShape task : tasks) {
      if (task.cpu() <= cpu && task.memory() <= memory && mayHold(job, task)) {
        return index
            .topology()
            .nodes()
            .get(node)
            .labels()
            .entrySet()
            .containsAll(job.nodeLabels().entrySet());
      }
    }
    return false;
  }

  private boolean mayHold(JobSpec job, TaskShape task) {
    boolean isExclusive = job.sharing() instanceof Sharing.Exclusive;
    int enough = isExclusive && !task.isShare() ? task.gpus() : Math.min(task.gpus(), 1);
    int share = isExclusive ? task.share() : 1;
    int found = leftGpus;
    for (int gpu = 0; gpu < index.gpus(node) && found < enough; gpu++) {
      found += isOfUse(gpu, share, job, task) ? 1 : 0;
    }
    return found >= enough;
  }

  private boolean isOfUse(int gpu, int share, JobSpec job, TaskShape task) {
    if (index.freeShare(node, gpu) < share || index.isLost(node, gpu)) {
      return false;
    }
    GpuPool pool = index.pools().get(index.poolOf(node, gpu));
    return (job.gpuModels().isEmpty() || job.gpuModels().contains(pool.model().orElseThrow()))
        && task.gpuMemory() <= pool.memory().bytes();
  }

  private boolean isFree(int gpu) {
    return index.freeShare(node, gpu) == 1000 && !index.isLost(node, gpu);
  }
}
