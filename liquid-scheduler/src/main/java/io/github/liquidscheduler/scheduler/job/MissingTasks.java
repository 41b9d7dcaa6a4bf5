package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Idea: one object for each class of waiting jobs holds whether they are parked, and a bound on
 *   the tasks without capacity, counted down as capacity grows.
 * Invariants: the bound is never too large: in doubt nothing is known. A field changes only after
 *   the value before was kept for a rollback, once for each mark. RetryLaws, WhatIfLaws.
 * Cost: O(1) for each call.
 */
/**
 * What is known of the waiting jobs of one class: whether they are parked, the tasks without
 * capacity and the growth to count from, and whether a quota or reservations keep them out.
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
  private boolean parked;
  private long parkedFrom = NOBODY;
  private long asked;
  private @Nullable KeptOut keptOut;
  private long savedIn;
  private final @Nullable PlacementClass of;
  private final Consumer<MissingTasks> beforeChange;

  /** Makes an unknown shortage without before-images. */
  public MissingTasks() {
    this(null, changed -> {});
  }

  /**
   * Makes an unknown shortage of a class.
   *
   * @param beforeChange keeps it as it is before each change
   */
  public MissingTasks(@Nullable PlacementClass of, Consumer<MissingTasks> beforeChange) {
    this.of = of;
    this.beforeChange = beforeChange;
  }

  /** Returns the number of the mark that has kept it as it was last; 0 if none has. */
  public long savedIn() {
    return savedIn;
  }

  /** Notes the mark that has kept it as it was last. */
  public void saveIn(long mark) {
    savedIn = mark;
  }

  /** Returns the class; null for a copy. */
  public @Nullable PlacementClass of() {
    return of;
  }

  /**
   * Parks the jobs of this rank and higher ones after a failed attempt.
   *
   * @param asked the number of facts that the attempt has seen
   */
  public void park(long rank, long asked) {
    if (!parked || asked != this.asked || rank < parkedFrom) {
      keep();
      parked = true;
      parkedFrom = rank;
      this.asked = asked;
    }
  }

  /** Notes that no job below this rank waits any more for which the failed attempt spoke. */
  public void parkFromAtLeast(long rank) {
    if (parked && rank > parkedFrom) {
      keep();
      parkedFrom = rank;
    }
  }

  /** Makes the jobs ready. */
  public void wake() {
    if (parked || keptOut != null) {
      keep();
      parked = false;
      parkedFrom = NOBODY;
      asked = 0;
      keptOut = null;
    }
  }

  /** Notes an attempt to start beside reservations that failed, unless one speaks for more. */
  public void keepOut(KeptOut attempt) {
    if (keptOut == null || attempt.length() <= keptOut.length()) {
      keep();
      keptOut = attempt;
    }
  }

  /** Returns the attempt to start beside reservations that failed; null if none is known. */
  public @Nullable KeptOut keptOut() {
    return keptOut;
  }

  /** Returns true if the failed attempt that parked the jobs has seen this number of facts. */
  public boolean hasSeen(long facts) {
    return parked && asked >= facts;
  }

  /** Returns true if an attempt has failed that speaks for some jobs of the class. */
  public boolean isParked() {
    return parked;
  }

  /** Returns the lowest rank for which the failed attempt speaks. */
  public long parkedFrom() {
    return parkedFrom;
  }

  /** Keeps it for a rollback, after which the class is reviewed. */
  public void keep() {
    beforeChange.accept(this);
  }

  /**
   * Notes that a job of this rank, and with it all higher ones, did not fit.
   *
   * @param since the number of the first growth that may help
   */
  public void failed(long rank, long since) {
    lack(null, 0, rank, since);
  }

  /**
   * Notes a failure with a lower bound of the tasks of a role without capacity; 0 if only the
   * combination of roles did not fit.
   */
  public void lack(@Nullable TaskShape task, int missing, long rank, long since) {
    keep();
    this.task = task;
    this.missing = missing;
    this.rank = rank;
    this.since = since;
  }

  /** Returns a copy without before-images. */
  public MissingTasks copy() {
    MissingTasks copy = new MissingTasks();
    copy.become(this);
    return copy;
  }

  /** Takes over another shortage. */
  public void become(MissingTasks other) {
    task = other.task;
    missing = other.missing;
    rank = other.rank;
    since = other.since;
    failedAt = other.failedAt;
    failedInQueueAt = other.failedInQueueAt;
    exceeding = other.exceeding;
    parked = other.parked;
    parkedFrom = other.parkedFrom;
    asked = other.asked;
    keptOut = other.keptOut;
  }

  /** Sets whether the jobs exceed a quota; returns the previous value. */
  public boolean exceed(boolean exceeds) {
    boolean did = exceeding;
    if (did != exceeds) {
      keep();
    }
    exceeding = exceeds;
    return did;
  }

  /** Returns true if the jobs are known to exceed a quota. */
  public boolean isExceeding() {
    return exceeding;
  }

  /** Forgets the shortage of capacity. */
  public void clear() {
    lack(null, 0, NOBODY, 0);
    failedAt = NEVER;
    failedInQueueAt = NEVER;
  }

  /** Notes that a search for victims failed at a version of all queues. */
  public void failAt(long holdings) {
    keep();
    failedAt = holdings;
  }

  /** Notes that a search failed at a version of the job's own queue. */
  public void failInQueueAt(long inQueue) {
    keep();
    failedInQueueAt = inQueue;
  }

  /** Returns true if a search failed at this version of its own queue. */
  public boolean hasFailedInQueueAt(long inQueue) {
    return failedInQueueAt == inQueue;
  }

  /** Returns true if a search failed at this version of all queues. */
  public boolean hasFailedAt(long holdings) {
    return failedAt == holdings;
  }

  /** Forgets tasks without capacity if growth from this number on was not counted for them. */
  public void forgetUncounted(long growth) {
    if (missing > 0 && since < growth) {
      lack(null, 0, NOBODY, 0);
    }
  }

  /** Returns the tasks without capacity, or null if none are known for the job. */
  public @Nullable TaskShape task(JobEntry job) {
    return missing > 0 && job.rank() >= rank ? task : null;
  }

  /** Returns the number of the first growth that may help a job. */
  public long since(JobEntry job) {
    return job.rank() >= rank ? since : 0;
  }

  /** Returns the number of tasks without capacity; 0 if unknown. */
  public int missing() {
    return missing;
  }

  /**
   * Notes that growth was counted for jobs of this rank and higher only; lower ranks become
   * unknown.
   */
  public void ask(long rank) {
    keep();
    this.rank = Math.max(this.rank, rank);
  }

  /** Subtracts tasks with new capacity, counted up to growth {@code since}. */
  public void reduce(int more, long since) {
    if (more < missing) {
      keep();
      missing -= more;
      this.since = since;
    } else {
      // A search that failed did so with less capacity, but the class is asked about that now.
      lack(null, 0, NOBODY, 0);
    }
  }
}
