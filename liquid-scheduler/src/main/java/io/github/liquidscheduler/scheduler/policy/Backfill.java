package io.github.liquidscheduler.scheduler.policy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Backfill options. The first waiting jobs hold reservations, and jobs behind them start only where
 * they delay none: EASY backfill with one (Lifka 1995), conservative backfill with all (Mu'alem and
 * Feitelson 2001).
 *
 * <p>A job without expected run time is taken to run for the median time of the last 31 finished
 * jobs of its workload and GPU count, or, with fewer than 5, for {@code assumedRunTime}.
 *
 * @param reservations the number of first waiting jobs that hold reservations, at least 1
 * @param leastGpus the least GPUs of a job that may hold a reservation, not negative
 * @param assumedRunTime the run time of jobs of unknown kind, positive
 * @param holdsAfter the wait after which free GPUs are reserved for a job, not negative; empty for
 *     never
 * @param passing the most GPUs of a job that may start on them nevertheless, not negative
 */
public record Backfill(
    int reservations,
    int leastGpus,
    Duration assumedRunTime,
    Optional<Duration> holdsAfter,
    int passing) {

  private static final Duration A_DAY = Duration.ofDays(1);

  /**
   * Validates the parts.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public Backfill {
    if (reservations < 1) {
      throw new IllegalArgumentException(
          "at least 1 job must hold a reservation, but %d were to".formatted(reservations));
    }
    if (leastGpus < 0) {
      throw new IllegalArgumentException(
          "the least number of GPUs must not be negative, but was " + leastGpus);
    }
    if (assumedRunTime.isNegative() || assumedRunTime.isZero()) {
      throw new IllegalArgumentException(
          "an assumed run time must be positive, but was " + assumedRunTime);
    }
    if (holdsAfter.filter(Duration::isNegative).isPresent()) {
      throw new IllegalArgumentException(
          "the wait after which capacity is reserved must not be negative, but was "
              + holdsAfter.get());
    }
    if (passing < 0) {
      throw new IllegalArgumentException(
          "the GPUs of jobs that pass must not be negative, but were " + passing);
    }
  }

  /** Returns EASY backfill: the first job that does not fit holds a reservation. */
  public static Backfill easy() {
    return reserving(1);
  }

  /**
   * Returns backfill with a number of reservations, at least 1.
   *
   * @throws IllegalArgumentException if {@code reservations} is less than 1
   */
  public static Backfill reserving(int reservations) {
    return new Backfill(reservations, 0, A_DAY, Optional.empty(), 0);
  }

  /** Returns conservative backfill: every waiting job holds a reservation. */
  public static Backfill conservative() {
    return reserving(Integer.MAX_VALUE);
  }

  /**
   * Returns these options with another run time for jobs of unknown kind, positive; a day by
   * default.
   *
   * @throws IllegalArgumentException if {@code runTime} is not positive
   */
  public Backfill assuming(Duration runTime) {
    return new Backfill(reservations, leastGpus, runTime, holdsAfter, passing);
  }

  /**
   * Returns these options with reservations only for jobs of at least {@code gpus} GPUs, not
   * negative; 0 by default. Smaller jobs find capacity without.
   *
   * @throws IllegalArgumentException if {@code gpus} is negative
   */
  public Backfill forJobsOf(int gpus) {
    return new Backfill(reservations, gpus, assumedRunTime, holdsAfter, passing);
  }

  /**
   * Returns these options with priority for overdue jobs: jobs that may hold a reservation and have
   * waited for {@code wait} come first, longest waiting first, and all free GPUs, of its domain if
   * it requires one, are reserved for the first until it starts. Others start there only if they
   * are small or their run time is known. Large gangs thus start soon even with unknown run times.
   * Off by default.
   *
   * @param wait the wait after which a job is overdue, not negative
   * @param passing the most GPUs of a job that may start there nevertheless, not negative
   * @throws IllegalArgumentException if an argument is negative
   */
  public Backfill holdingAfter(Duration wait, int passing) {
    return new Backfill(reservations, leastGpus, assumedRunTime, Optional.of(wait), passing);
  }

  /** Returns the options by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("reservations", Integer.toString(reservations));
    parameters.put("leastGpus", Integer.toString(leastGpus));
    parameters.put("assumedRunTime", assumedRunTime.toString());
    holdsAfter.ifPresent(wait -> parameters.put("holdsAfter", wait.toString()));
    parameters.put("passing", Integer.toString(passing));
    return parameters;
  }
}
