package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.ArrayList;
import java.util.List;

/**
 * What one node has free, and would have if jobs of high ranks left it: an upper bound that tells
 * at a glance that no task of a job can go there. A GPU that several of those who may leave share
 * counts for each. What is free is read anew at each question.
 */
public final class NodeHeadroom {

  private final CapacityIndex index;
  private final int node;
  private final List<Left> mayLeave = new ArrayList<>();
  private int leftGpus;
  private long leftCpu;
  private long leftMemory;

  /** What a job of a rank holds on the node. */
  private record Left(long rank, int gpus, long cpu, long memory) {}

  /** Makes the room of the node at a position, which nobody may leave yet. */
  public NodeHeadroom(CapacityIndex index, int node) {
    this.index = index;
    this.node = node;
  }

  int node() {
    return node;
  }

  /** Adds a job that may leave the node for others of lower rank. */
  public void add(long rank, NodeSet held) {
    held.addTo(rank, this);
  }

  void add(long rank, int gpus, long cpu, long memory) {
    mayLeave.add(new Left(rank, gpus, cpu, memory));
  }

  /** Lets all leave that may leave for a job of this rank, and all others stay. */
  public NodeHeadroom forRank(long rank) {
    leftGpus = 0;
    leftCpu = 0;
    leftMemory = 0;
    for (int i = 0; i < mayLeave.size(); i++) {
      Left left = mayLeave.get(i);
      if (left.rank() > rank) {
        leftGpus += left.gpus();
        leftCpu += left.cpu();
        leftMemory += left.memory();
      }
    }
    return this;
  }

  /** Returns what it has of each resource: wholly free GPUs of all models, and the freest GPU. */
  public NodeAmounts amounts() {
    int gpus = leftGpus;
    int share = leftGpus > 0 ? 1000 : 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      if (!index.isLost(node, gpu)) {
        gpus += index.freeShare(node, gpu) == 1000 ? 1 : 0;
        share = Math.max(share, index.freeShare(node, gpu));
      }
    }
    return new NodeAmounts(gpus, share, cpu(), memory());
  }

  private long cpu() {
    return index.freeCpu(node) + leftCpu;
  }

  private long memory() {
    return index.freeMemory(node) + leftMemory;
  }

  /** Returns false if no task of the job can go there. */
  public boolean mayHold(JobSpec job, List<TaskShape> tasks) {
    for (int i = 0; i < tasks.size(); i++) {
      if (tasks(job, tasks.get(i), 1) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns a number of tasks of the job, up to {@code most}, more than which cannot go there. */
  public int tasks(JobSpec job, TaskShape task, int most) {
    if (task.cpu() > cpu() || task.memory() > memory()) {
      return 0;
    }
    int byGpus = byGpus(job, task, most);
    return byGpus > 0 && carriesLabelsOf(job)
        ? Math.min(byGpus, task.fitting(Integer.MAX_VALUE, cpu(), memory()))
        : 0;
  }

  private boolean carriesLabelsOf(JobSpec job) {
    return job.nodeLabels().isEmpty()
        || index
            .topology()
            .nodes()
            .get(node)
            .labels()
            .entrySet()
            .containsAll(job.nodeLabels().entrySet());
  }

  private int byGpus(JobSpec job, TaskShape task, int most) {
    if (task.gpus() == 0) {
      return most;
    }
    int least = job.sharing() instanceof Sharing.Exclusive ? task.share() : 1;
    long found = (long) leftGpus * (1000 / least);
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      int free = index.freeShare(node, gpu);
      if (free >= least && !index.isLost(node, gpu) && isAllowed(gpu, job, task)) {
        found += free / least;
      }
    }
    return (int) Math.min(most, least < 1000 ? found : found / task.gpus());
  }

  private boolean isAllowed(int gpu, JobSpec job, TaskShape task) {
    return (job.gpuModels().isEmpty() && task.gpuMemory() == 0)
        || isAllowed(index.pools().get(index.poolOf(node, gpu)), job, task);
  }

  /** Returns whether tasks may use the pool's GPUs. */
  static boolean isAllowed(GpuPool pool, JobSpec job, TaskShape task) {
    return pool.isAllowedTo(job) && task.gpuMemory() <= pool.memory().bytes();
  }
}
