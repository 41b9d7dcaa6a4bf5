package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.placement.gang.TaskShape;
import org.jspecify.annotations.Nullable;

/**
 * What is known of jobs of one class that did not fit: since when room has to have grown for them,
 * and how many tasks of a role they lack room for at least, and whether a quota keeps them. Only a
 * bound that saves attempts, so it is in no snapshot, except where events stop early: that nobody
 * leaves for the jobs, or a quota keeps them, is then saved, so that a restored scheduler stops at
 * the same place.
 */
public final class MissingTasks {

  private static final long NOBODY = Long.MAX_VALUE;
  private static final long NEVER = -1;

  private @Nullable TaskShape task;
  private int missing;
  private long rank = NOBODY;
  private long since;
  private long failedAt = NEVER;
  private long failedInQueueAt = NEVER;
  private boolean exceeding;

  /**
   * Notes that a job of this rank, and with it all of higher ones, did not fit.
   *
   * @param since the number of the first growth that may help
   */
  public void failed(long rank, long since) {
    lack(null, 0, rank, since);
  }

  /**
   * Notes the same, and how many tasks of a role at least are without room; if that is 0, it is
   * only together with others that they are.
   */
  public void lack(@Nullable TaskShape task, int missing, long rank, long since) {
    this.task = task;
    this.missing = missing;
    this.rank = rank;
    this.since = since;
  }

  /** Notes what is known of other jobs. */
  void copyFrom(MissingTasks other) {
    lack(other.task, other.missing, other.rank, other.since);
    failedAt = other.failedAt;
    failedInQueueAt = other.failedInQueueAt;
    exceeding = other.exceeding;
  }

  /** Notes whether the jobs exceed a quota; returns whether they were known to until now. */
  public boolean exceed(boolean exceeds) {
    boolean did = exceeding;
    exceeding = exceeds;
    return did;
  }

  /** Returns true if the jobs are known to exceed a quota. */
  public boolean isExceeding() {
    return exceeding;
  }

  /** Notes that nothing is known any more of the room that they lack. */
  public void clear() {
    lack(null, 0, NOBODY, 0);
    failedAt = NEVER;
    failedInQueueAt = NEVER;
  }

  /**
   * Notes that nobody could leave for a job.
   *
   * @param holdings the number of what all queues then hold
   * @param inQueue the number of what its own queue then holds
   */
  void failAt(long holdings, long inQueue) {
    failedAt = holdings;
    failedInQueueAt = inQueue;
  }

  /** Returns true if that was noted, and the number of its own queue is the same. */
  boolean hasFailedInQueueAt(long inQueue) {
    return failedInQueueAt == inQueue;
  }

  /** Returns true if that was noted, and the number of all queues is the same. */
  boolean hasFailedAt(long holdings) {
    return failedAt == holdings;
  }

  /** Returns the tasks for which there is no room, or null if none are known for the job. */
  public @Nullable TaskShape task(JobEntry job) {
    return missing > 0 && job.rank() >= rank ? task : null;
  }

  /** Returns the number of the first growth that may help a job. */
  public long since(JobEntry job) {
    return job.rank() >= rank ? since : 0;
  }

  /** Returns how many tasks lack room; nothing is known of them if there are none. */
  public int missing() {
    return missing;
  }

  /**
   * Notes that only jobs of this rank were asked so far what has grown for them. Jobs of lower
   * ranks may have gained more, so of them nothing is known.
   */
  public void ask(long rank) {
    this.rank = Math.max(this.rank, rank);
  }

  /** Notes that room has grown for so many more tasks, all growths before {@code since} counted. */
  public void reduce(int more, long since) {
    if (more < missing) {
      missing -= more;
      this.since = since;
    } else {
      clear();
    }
  }
}
