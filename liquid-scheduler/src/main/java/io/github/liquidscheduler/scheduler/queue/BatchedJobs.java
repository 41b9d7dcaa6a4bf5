package io.github.liquidscheduler.scheduler.queue;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The waiting jobs that are not tried because a batch window holds them, and why it does. */
public final class BatchedJobs {

  /** Why a job is held. */
  public enum Stage {
    /** It came since the last plan was requested, or was one too many for that. */
    ENTERED,
    /** It is in the plan that was requested and has not come yet. */
    REQUESTED,
    /** Earlier plans had no place for it. */
    LEFT_OVER
  }

  // Never iterated.
  private final Map<JobEntry, Stage> stages = new HashMap<>();
  private int entered;
  private long enteredGpus;
  private int requested;

  public boolean contains(JobEntry job) {
    return stages.containsKey(job);
  }

  /** Returns why the job is held, or null if it is not. */
  public @Nullable Stage stage(JobEntry job) {
    return stages.get(job);
  }

  /** Returns how many jobs are in the window: held, but not in the plan that is awaited. */
  public int gathered() {
    return stages.size() - requested;
  }

  /** Returns how many jobs are in the plan that is awaited. */
  public int requested() {
    return requested;
  }

  /** Returns how many jobs the last request was not for. */
  public int entered() {
    return entered;
  }

  /** Returns how many GPUs these ask for together. */
  public long enteredGpus() {
    return enteredGpus;
  }

  /** Holds a job, or holds it for another reason. */
  public void put(JobEntry job, Stage stage) {
    count(job, stages.put(job, stage), -1);
    count(job, stage, 1);
  }

  /** Lets a job go, if it is held. */
  void remove(JobEntry job) {
    count(job, stages.remove(job), -1);
  }

  private void count(JobEntry job, @Nullable Stage stage, int one) {
    if (stage == Stage.ENTERED) {
      entered += one;
      enteredGpus += (long) one * job.job().gpus();
    } else if (stage == Stage.REQUESTED) {
      requested += one;
    }
  }
}
