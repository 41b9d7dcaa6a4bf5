package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a job that found no start beside the reservations finds none later either until capacity
 *   grows on a node where a task of it fits, for which a reservation that moves away counts too;
 *   or, if it was a reservation that kept it out, until it is expected to be shorter or passes a
 *   reservation that it did not.
 * Invariants: what is known speaks for all jobs of a class that are no shorter and pass no more;
 *   nothing here is state, so that a restored scheduler asks everybody and decides the same
 *   (AnyFeaturesLaws, BackfillRetryLaws).
 * Cost: O(1) for each question, with O(reservations) for a class that is kept out.
 */
/** The classes of waiting jobs of which an attempt to start beside the reservations has failed. */
final class KeptOut {

  /** The classes without waiting jobs that are kept before they are dropped. */
  private static final int SPARE = 1000;

  /**
   * A failed attempt.
   *
   * @param length the expected run time, in nanoseconds; 0 if no length would have helped
   * @param passed the holders of reservations that did not count for the job
   */
  private record Failure(long length, List<JobId> passed) {}

  // Iterated in no order that matters.
  private final Map<PlacementClass, Failure> failures = new HashMap<>();
  private boolean speakOnce;

  /** Forgets all, and what is noted from now on speaks until the next such call only. */
  void speakOnce() {
    failures.clear();
    speakOnce = true;
  }

  /** Has what is noted from now on speak until capacity grows. */
  void speakOn() {
    if (speakOnce) {
      failures.clear();
      speakOnce = false;
    }
  }

  /**
   * Notes that a job found no start.
   *
   * @param length its expected run time, in nanoseconds; 0 if no other would have helped
   * @param passed the holders of reservations that did not count for it
   */
  void failed(JobEntry job, long length, List<JobId> passed) {
    @Nullable Failure known = failures.get(job.placementClass());
    if (known == null || length <= known.length()) {
      failures.put(job.placementClass(), new Failure(length, passed));
    }
  }

  /** Returns true if a failed attempt of the job's class is known. */
  boolean isKnown(JobEntry job) {
    return failures.containsKey(job.placementClass());
  }

  /** Returns true if a failed attempt speaks for all jobs of the job's class. */
  boolean speakForAll(JobEntry job) {
    @Nullable Failure known = failures.get(job.placementClass());
    return known != null && known.length() == 0;
  }

  /**
   * Returns true if a failed attempt speaks for a job.
   *
   * @param length its expected run time, in nanoseconds
   * @param passed the holders of reservations that do not count for it
   */
  boolean speakFor(JobEntry job, long length, List<JobId> passed) {
    @Nullable Failure known = failures.get(job.placementClass());
    return known != null
        && (known.length() == 0
            || (length >= known.length() && known.passed().containsAll(passed)));
  }

  /** Forgets the failed attempt of a job's class. */
  void forget(JobEntry job) {
    failures.remove(job.placementClass());
  }

  /** Forgets all. */
  void clear() {
    failures.clear();
  }

  /** Forgets classes without waiting jobs, if there are many. */
  void prune(WaitingClasses classes, int waiting) {
    if (failures.size() > waiting + SPARE) {
      failures.keySet().removeIf(each -> classes.first(each).isEmpty());
    }
  }
}
