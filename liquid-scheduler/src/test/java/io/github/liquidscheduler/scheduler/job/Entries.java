package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Jobs as they wait and run, without a scheduler. */
public final class Entries {

  private Entries() {}

  /** Returns a job that was submitted at the epoch, as the one of that number. */
  public static JobEntry waiting(JobSpec.Builder job, long sequence) {
    JobSpec spec = job.build();
    return new JobEntry(spec, new PlacementClass(spec), sequence, Instant.EPOCH);
  }

  /** Returns a job on 1 to 8 GPUs that stands in the order of jobs by rank. */
  public static JobEntry ranked(long sequence, long rank) {
    JobEntry job =
        waiting(JobSpec.builder("j" + sequence).gpus(1 + Math.floorMod(sequence, 8)), sequence);
    job.judge(PolicyState.INITIAL, rank, null);
    return job;
  }

  /** A queue whose rank is set by hand. */
  public static final class RankedQueue {

    private double rank;
    private final JobQueue queue = new JobQueue(QueueName.of("ranked"), view -> rank);

    /** Returns a job that stands in the queue, and in it in the order of jobs by rank. */
    public JobEntry job(long sequence, long rank) {
      JobEntry job = ranked(sequence, rank);
      job.enter(queue);
      return job;
    }

    /** Sets the rank of the queue. */
    public void rank(double rank) {
      this.rank = rank;
      queue.countWaiting(0);
    }
  }

  /** Returns a job that has run at a place since the epoch. */
  public static JobEntry running(String id, Placement place) {
    JobEntry job = waiting(JobSpec.builder(id).gpus(place.gpus()), 0);
    new JobTransition(job, Instant.EPOCH).start(place);
    return job;
  }

  /** Returns the place of a job of one GPU a task. */
  public static Placement on(String job, String node, int... gpus) {
    List<TaskPlacement> tasks =
        Arrays.stream(gpus)
            .mapToObj(
                gpu ->
                    new TaskPlacement(
                        new TaskId("worker", gpu - gpus[0]),
                        NodeId.of(node),
                        List.of(gpu),
                        ResourceRequest.ofGpus(1)))
            .toList();
    return new Placement(JobId.of(job), tasks);
  }
}
