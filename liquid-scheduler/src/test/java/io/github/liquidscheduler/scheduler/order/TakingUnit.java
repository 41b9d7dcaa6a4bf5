package io.github.liquidscheduler.scheduler.order;

import java.time.Instant;
import java.util.Objects;

/**
 * The smallest part of a job that starts, or is taken, as a whole: a gang at its least size, or one
 * task more of an elastic job.
 *
 * @param queue the leaf queue
 * @param rank the rank of the job by the policy, lowest first
 * @param sequence the number of earlier submissions; unique for each job
 * @param part 0 for the job at its least size, then its further tasks
 * @param amounts what it holds or asks for
 * @param kind what it counts as
 * @param isPreemptible whether it may be stopped; surplus may be taken in any case
 * @param changedAt the last instant at which the job started, grew or moved; {@link Instant#MIN}
 *     while it waits
 */
public record TakingUnit(
    TurnQueue queue,
    long rank,
    long sequence,
    int part,
    Amounts amounts,
    Kind kind,
    boolean isPreemptible,
    Instant changedAt) {

  /** What a unit counts as. */
  public enum Kind {
    /** Counts for its queue. */
    ORDINARY,
    /** A task above the preferred size: on loan, it counts for nobody. */
    SURPLUS,
    /** Of an opportunistic job: it counts only among its like. */
    OPPORTUNISTIC
  }

  /** Checks that nothing is null. */
  public TakingUnit {
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(amounts, "amounts");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(changedAt, "changedAt");
  }

  boolean isOrdinary() {
    return kind == Kind.ORDINARY;
  }

  /** Returns true if both are the same part of one job, whenever it last changed. */
  boolean isSameAs(TakingUnit other) {
    return sequence == other.sequence && part == other.part;
  }

  /** Returns true if the other is an earlier part of the same job, without which it cannot run. */
  boolean isBehind(TakingUnit other) {
    return sequence == other.sequence && part > other.part;
  }
}
