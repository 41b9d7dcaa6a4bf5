package io.github.liquidscheduler.placement;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The waiting jobs that are not tried because a batch window holds them, and why it does. */
final class HeldJobs {

  /** Why a job is held. */
  enum Stage {
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

  boolean contains(JobEntry job) {
    return stages.containsKey(job);
  }

  /** Returns why the job is held, or null if it is not. */
  @Nullable Stage stage(JobEntry job) {
    return stages.get(job);
  }

  /** Returns how many jobs are in the window: held, but not in the plan that is awaited. */
  int gathered() {
    return stages.size() - requested;
  }

  /** Returns how many jobs are in the plan that is awaited. */
  int requested() {
    return requested;
  }

  /** Returns how many jobs the last request was not for. */
  int entered() {
    return entered;
  }

  /** Returns how many GPUs these ask for together. */
  long enteredGpus() {
    return enteredGpus;
  }

  /** Holds a job, or holds it for another reason. */
  void put(JobEntry job, Stage stage) {
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
