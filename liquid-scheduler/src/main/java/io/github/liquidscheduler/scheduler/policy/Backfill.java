package io.github.liquidscheduler.scheduler.policy;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How many waiting jobs have a place reserved, so that jobs behind them start only where they are
 * in the way of none of these: EASY backfill with one (Lifka 1995), conservative backfill with all
 * (Mu'alem and Feitelson 2001).
 *
 * <p>A job of which no run time is expected is taken to run as long as half of the last 31 jobs of
 * its workload on as many GPUs that finished; if fewer than 5 have, for an assumed time.
 *
 * @param reservations how many of the first waiting jobs hold one, at least 1
 * @param leastGpus how many GPUs a job asks for at least that may hold one, not negative
 * @param assumedRunTime how long jobs are taken to run of which nothing is known, positive
 * @param holdsAfter after which wait the free GPUs are kept for a job, not negative; empty for
 *     never
 * @param passing how many GPUs a job asks for at most that starts there nevertheless, not negative
 */
public record Backfill(
    int reservations,
    int leastGpus,
    Duration assumedRunTime,
    Optional<Duration> holdsAfter,
    int passing) {

  private static final Duration A_DAY = Duration.ofDays(1);

  /**
   * Checks the parts.
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
   * Returns backfill around reservations of the first jobs that do not fit.
   *
   * @throws IllegalArgumentException if there is to be none
   */
  public static Backfill reserving(int reservations) {
    return new Backfill(reservations, 0, A_DAY, Optional.empty(), 0);
  }

  /** Returns conservative backfill: every waiting job holds a reservation. */
  public static Backfill conservative() {
    return reserving(Integer.MAX_VALUE);
  }

  /**
   * Returns this, with another time for jobs of which no run time is expected; a day by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public Backfill assuming(Duration runTime) {
    return new Backfill(reservations, leastGpus, runTime, holdsAfter, passing);
  }

  /**
   * Returns this, with reservations only for jobs that ask for so many GPUs or more: the others are
   * small enough to find a place, and need none.
   *
   * @throws IllegalArgumentException if {@code gpus} is negative
   */
  public Backfill forJobsOf(int gpus) {
    return new Backfill(reservations, gpus, assumedRunTime, holdsAfter, passing);
  }

  /**
   * Returns this, where jobs that may hold a reservation and have waited for so long come first, in
   * the order in which they began to wait; and all free GPUs are kept for the first of them, of its
   * domain if it needs one, until it starts. Others start there only if they ask for few GPUs, or
   * were told to end before. So large gangs start soon though nobody knows how long jobs run.
   *
   * @param wait not negative
   * @param passing how many GPUs a job asks for at most that may start there nevertheless
   * @throws IllegalArgumentException if a part is negative
   */
  public Backfill holdingAfter(Duration wait, int passing) {
    return new Backfill(reservations, leastGpus, assumedRunTime, Optional.of(wait), passing);
  }

  /** Returns what decides, by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("reservations", Integer.toString(reservations));
    parameters.put("leastGpus", Integer.toString(leastGpus));
    parameters.put("assumedRunTime", assumedRunTime.toString());
    holdsAfter.ifPresent(wait -> parameters.put("holdsAfter", wait.toString()));
    parameters.put("passing", Integer.toString(passing));
    return parameters;
  }

  /**
   * Returns the rules of {@link #parameters()}.
   *
   * @throws IllegalArgumentException if one is missing or out of range
   */
  public static Backfill from(Map<String, String> parameters) {
    try {
      return new Backfill(
          Integer.parseInt(parameters.getOrDefault("reservations", "")),
          Integer.parseInt(parameters.getOrDefault("leastGpus", "")),
          Duration.parse(parameters.getOrDefault("assumedRunTime", "")),
          Optional.ofNullable(parameters.get("holdsAfter")).map(Duration::parse),
          Integer.parseInt(parameters.getOrDefault("passing", "0")));
    } catch (NumberFormatException | DateTimeParseException e) {
      throw new IllegalArgumentException(
          "backfill must have the numbers 'reservations' and 'leastGpus' and the time"
              + " 'assumedRunTime', but had "
              + parameters,
          e);
    }
  }
}
