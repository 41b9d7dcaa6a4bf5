package io.github.liquidscheduler.scheduler.forecast;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says how far a job may start from its expected start, by how far past jobs did.
 *
 * <p>An expected start takes everybody to run as long as expected and nobody to come. What that
 * misses depends on the load, and quantiles of single run times do not add up to it. So the error
 * of the whole is calibrated: each forecast is kept until its job starts, and the ratio of the time
 * waited to the time expected is remembered. A new forecast gets the 5th and 95th percentile of the
 * ratios of the {@value #NEIGHBOURS} past forecasts whose expected waiting times were most like its
 * own (split conformal prediction by nearest neighbours). A job that still waits counts as if it
 * started now once it has waited longer than expected; else who waits longest would be left out.
 * The percentiles follow the share of forecasts that held (adaptive conformal inference, Gibbs and
 * Candès, NeurIPS 2021), so that nine of ten hold in the long run though the load changes.
 *
 * <p>It is fed by whoever asks, beside the scheduler: what is asked is no event, and changes no
 * decision. Same calls, same answers. A forecast costs O({@value #REMEMBERED} log {@value
 * #REMEMBERED}). Not thread-safe.
 */
public final class StartForecasts {

  private static final int NEIGHBOURS = 100;
  private static final int REMEMBERED = 500;
  private static final int LEAST = 20;

  /** The share of jobs outside an interval, on each side. */
  private static final double TAIL = .05;

  /** How much a forecast that failed widens the next ones; in shares of jobs. */
  private static final double STEP = .01;

  /** Added to both times of a ratio, in seconds: shorter times than that are alike. */
  private static final double SMOOTHING = 30;

  private final Map<JobId, Told> open = new LinkedHashMap<>();
  private final Deque<Outcome> outcomes = new ArrayDeque<>();
  private double tailBefore = TAIL;
  private double tailAfter = TAIL;

  private record Told(Instant at, double expected, Optional<StartInterval> interval) {}

  /** The expected waiting time in seconds, and the logarithm of waited to expected time. */
  private record Outcome(double expected, double error) {}

  /** Makes forecasts that know of no job yet. */
  public StartForecasts() {}

  /**
   * Takes note that a waiting job is expected to start at a time, and returns between which times
   * it will; empty while fewer than {@value #LEAST} jobs of which that was asked have started. Only
   * the first forecast of a job is calibrated on.
   *
   * @param now when that is asked, not before any earlier call
   * @param expected as {@link io.github.liquidscheduler.scheduling.Scheduler#whatIf} says; a time
   *     before {@code now} counts as now
   */
  public Optional<StartInterval> forecast(JobId job, Instant now, Instant expected) {
    double wait = seconds(now, expected);
    Optional<StartInterval> interval = interval(now, expected, wait);
    open.putIfAbsent(job, new Told(now, wait, interval));
    return interval;
  }

  /** Takes note of what was decided at a time: which jobs started, or will never. */
  public void decided(Instant now, List<Decision> decisions) {
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Start start) {
        started(start.job(), now);
      } else if (decision instanceof Decision.Reject reject) {
        open.remove(reject.job());
      }
    }
  }

  /** Forgets a job that was cancelled before it started. */
  public void cancelled(JobId job) {
    open.remove(job);
  }

  private void started(JobId job, Instant now) {
    Told told = open.remove(job);
    if (told == null) {
      return;
    }
    outcomes.addLast(new Outcome(told.expected, error(told, now)));
    if (outcomes.size() > REMEMBERED) {
      outcomes.removeFirst();
    }
    told.interval.ifPresent(interval -> adapt(interval, now));
  }

  /** Widens the side on which a forecast failed, and narrows one on which it held. */
  private void adapt(StartInterval interval, Instant start) {
    tailBefore = adapted(tailBefore, start.isBefore(interval.earliest()));
    tailAfter = adapted(tailAfter, start.isAfter(interval.latest()));
  }

  private static double adapted(double tail, boolean hasFailed) {
    return Math.clamp(tail + STEP * (TAIL - (hasFailed ? 1 : 0)), 0, 2 * TAIL);
  }

  private Optional<StartInterval> interval(Instant now, Instant expected, double wait) {
    if (outcomes.size() < LEAST) {
      return Optional.empty();
    }
    double[] errors = errorsNear(wait, now);
    double least = errors[rank(tailBefore, errors.length)];
    double most = errors[errors.length - 1 - rank(tailAfter, errors.length)];
    return Optional.of(
        new StartInterval(
            after(now, wait, least),
            expected.isBefore(now) ? now : expected,
            after(now, wait, Math.max(least, most)).plusSeconds(1)));
  }

  /** Returns the index of a quantile from below, of one value more than there are. */
  private static int rank(double tail, int count) {
    return Math.max(0, (int) Math.floor(tail * (count + 1)) - 1);
  }

  /** Returns the errors of those whose expected waiting times are nearest, in ascending order. */
  private double[] errorsNear(double wait, Instant now) {
    Outcome[] known = new Outcome[outcomes.size() + open.size()];
    int count = 0;
    for (Outcome outcome : outcomes) {
      known[count++] = outcome;
    }
    for (Told told : open.values()) {
      double error = error(told, now);
      if (error > 0) {
        known[count++] = new Outcome(told.expected, error);
      }
    }
    Outcome[] sorted = Arrays.copyOf(known, count);
    Arrays.sort(
        sorted,
        (one, other) ->
            Double.compare(distance(one.expected, wait), distance(other.expected, wait)));
    return Arrays.stream(sorted, 0, Math.min(count, NEIGHBOURS))
        .mapToDouble(Outcome::error)
        .sorted()
        .toArray();
  }

  private static double distance(double one, double other) {
    return Math.abs(Math.log((one + SMOOTHING) / (other + SMOOTHING)));
  }

  private static double error(Told told, Instant start) {
    return Math.log((seconds(told.at, start) + SMOOTHING) / (told.expected + SMOOTHING));
  }

  /** Returns when so much of the expected time has passed, to the second below. */
  private static Instant after(Instant now, double expected, double error) {
    double wait = Math.max(0, (expected + SMOOTHING) * Math.exp(error) - SMOOTHING);
    return now.plusNanos(Math.round(wait * 1e9)).truncatedTo(ChronoUnit.SECONDS);
  }

  private static double seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toNanos() / 1e9);
  }
}
