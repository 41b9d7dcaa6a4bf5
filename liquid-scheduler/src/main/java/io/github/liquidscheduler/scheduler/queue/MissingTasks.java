package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.placement.gang.TaskShape;
import org.jspecify.annotations.Nullable;

/**
 * How many tasks of a role jobs of one class lack room for at least: counted when one of them did
 * not fit, less what has been freed since. Only a bound that saves attempts, so it is in no
 * snapshot.
 */
public final class MissingTasks {

  private @Nullable TaskShape task;
  private int missing;
  private long rank;

  /** Notes that a job of this rank, and with it all of higher ones, lacks room for tasks. */
  public void set(TaskShape task, int missing, long rank) {
    this.task = task;
    this.missing = missing;
    this.rank = rank;
  }

  /** Notes that nothing is known any more. */
  public void clear() {
    missing = 0;
  }

  /** Returns the tasks for which there is no room, or null if nothing is known of the job. */
  public @Nullable TaskShape task(JobEntry job) {
    return missing > 0 && job.rank() >= rank ? task : null;
  }

  /** Notes that so many more tasks may fit. */
  public void reduce(int freed) {
    missing -= freed;
  }

  /** Returns how many tasks lack room. */
  public int missing() {
    return missing;
  }
}
