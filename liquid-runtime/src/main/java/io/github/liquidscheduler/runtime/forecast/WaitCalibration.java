package io.github.liquidscheduler.runtime.forecast;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Widens spreads of waiting times so that nine of ten jobs start within them, by the errors of past
 * forecasts.
 *
 * <p>For each forecast that came true it remembers the ratios of the waited time to both ends of
 * the spread. A new spread is widened by the 5th percentile of the one and the 95th of the other,
 * over the {@value #NEIGHBOURS} past forecasts with the most similar median waits (conformalized
 * quantile regression, Romano et al., NeurIPS 2019, by nearest neighbours). It is never narrowed:
 * jobs behind one gang err alike, and one day says little of the next. A job still waiting past its
 * median counts as starting now, else the longest waits would be missing. The percentiles follow
 * the share of forecasts that held (adaptive conformal inference, Gibbs and Candès, NeurIPS 2021),
 * so that nine of ten hold in the long run under changing load.
 *
 * <p>A forecast costs O({@value #REMEMBERED} log {@value #REMEMBERED}). Mutable.
 */
final class WaitCalibration {

  private static final int NEIGHBOURS = 100;
  private static final int REMEMBERED = 500;
  private static final int LEAST = 20;

  /** The fraction of jobs outside an interval, per side. */
  private static final double TAIL = .05;

  /** The widening after a forecast that missed, as a fraction of jobs. */
  private static final double STEP = .01;

  /** Seconds added to both times of a ratio, so that shorter times are alike. */
  private static final double SMOOTHING = 30;

  /** The longest wait: sixty years, in nanoseconds. */
  private static final double LONGEST = 2e18;

  private final Map<JobId, Told> open = new LinkedHashMap<>();
  private final Deque<Outcome> outcomes = new ArrayDeque<>();
  private double tailBefore = TAIL;
  private double tailAfter = TAIL;

  private record Told(Instant at, WaitSpread spread, Optional<StartInterval> interval) {
    SnapshotSection save(JobId job) {
      SnapshotSection.Builder section =
          SnapshotSection.builder()
              .text("job", job)
              .text("at", at)
              .put("least", spread.least())
              .put("middle", spread.middle())
              .put("most", spread.most());
      interval.ifPresent(
          told ->
              section
                  .text("earliest", told.earliest())
                  .text("expected", told.expected())
                  .text("latest", told.latest()));
      return section.build();
    }

    static Told load(SnapshotSection.Reader in) {
      WaitSpread spread =
          new WaitSpread(
              in.value("least", Double.class),
              in.value("middle", Double.class),
              in.value("most", Double.class));
      Optional<StartInterval> interval =
          in.optionalText("earliest", Instant::parse)
              .map(
                  from ->
                      new StartInterval(
                          from,
                          in.text("expected", Instant::parse),
                          in.text("latest", Instant::parse)));
      return new Told(in.text("at", Instant::parse), spread, interval);
    }
  }

  /**
   * The median wait in seconds, and the logarithms of the ratio of the actual wait to both ends.
   */
  private record Outcome(double middle, double fromLeast, double fromMost) {
    SnapshotSection save() {
      return SnapshotSection.builder()
          .put("middle", middle)
          .put("fromLeast", fromLeast)
          .put("fromMost", fromMost)
          .build();
    }

    static Outcome load(SnapshotSection.Reader in) {
      return new Outcome(
          in.value("middle", Double.class),
          in.value("fromLeast", Double.class),
          in.value("fromMost", Double.class));
    }
  }

  /** Returns what is remembered. */
  SnapshotSection save() {
    return SnapshotSection.builder()
        .list("told", open.entrySet(), entry -> entry.getValue().save(entry.getKey()))
        .list("outcomes", outcomes, Outcome::save)
        .put("tailBefore", tailBefore)
        .put("tailAfter", tailAfter)
        .build();
  }

  /** Returns what was remembered. */
  static WaitCalibration load(SnapshotSection.Reader in) {
    WaitCalibration calibration = new WaitCalibration();
    in.list("told", SnapshotSection.class, each -> each)
        .forEach(
            each ->
                each.readAll(
                    told -> calibration.open.put(told.text("job", JobId::of), Told.load(told))));
    calibration.outcomes.addAll(
        in.list("outcomes", SnapshotSection.class, each -> each.read(Outcome::load)));
    calibration.tailBefore = in.value("tailBefore", Double.class);
    calibration.tailAfter = in.value("tailAfter", Double.class);
    return calibration;
  }

  /**
   * Returns the interval for a job; empty while too few jobs have started. Only a job's first
   * forecast is learned from.
   */
  Optional<StartInterval> forecast(JobId job, Instant now, WaitSpread spread) {
    Optional<StartInterval> interval = interval(now, spread);
    open.putIfAbsent(job, new Told(now, spread, interval));
    return interval;
  }

  /** Forgets the forecast of a job that will not start. */
  void forget(JobId job) {
    open.remove(job);
  }

  /** Records a start. */
  void started(JobId job, Instant now) {
    @Nullable Told told = open.remove(job);
    if (told == null) {
      return;
    }
    outcomes.addLast(outcome(told, now));
    if (outcomes.size() > REMEMBERED) {
      outcomes.removeFirst();
    }
    told.interval.ifPresent(interval -> adapt(interval, now));
  }

  /** Widens the side on which a forecast missed, and narrows the other. */
  private void adapt(StartInterval interval, Instant start) {
    tailBefore = adapted(tailBefore, start.isBefore(interval.earliest()));
    tailAfter = adapted(tailAfter, start.isAfter(interval.latest()));
  }

  private static double adapted(double tail, boolean hasFailed) {
    return Math.clamp(tail + STEP * (TAIL - (hasFailed ? 1 : 0)), 0, 2 * TAIL);
  }

  private Optional<StartInterval> interval(Instant now, WaitSpread spread) {
    if (outcomes.size() < LEAST) {
      return Optional.empty();
    }
    List<Outcome> alike = alike(spread.middle(), now);
    double[] fromLeast = sorted(alike, Outcome::fromLeast);
    double[] fromMost = sorted(alike, Outcome::fromMost);
    double less = Math.min(0, fromLeast[rank(tailBefore, fromLeast.length)]);
    double more = Math.max(0, fromMost[fromMost.length - 1 - rank(tailAfter, fromMost.length)]);
    return Optional.of(
        new StartInterval(
            after(now, stretched(spread.least(), less)).truncatedTo(ChronoUnit.SECONDS),
            after(now, spread.middle()),
            after(now, stretched(spread.most(), more))
                .truncatedTo(ChronoUnit.SECONDS)
                .plusSeconds(1)));
  }

  /** Returns the index of a quantile from below, of {@code count + 1} values. */
  private static int rank(double tail, int count) {
    return Math.max(0, (int) Math.floor(tail * (count + 1)) - 1);
  }

  private static double[] sorted(List<Outcome> outcomes, ToDoubleFunction<Outcome> error) {
    return outcomes.stream().mapToDouble(error).sorted().toArray();
  }

  /** Returns the outcomes with the nearest median waits; the latest first among equals. */
  private List<Outcome> alike(double middle, Instant now) {
    List<Outcome> known = new ArrayList<>();
    outcomes.descendingIterator().forEachRemaining(known::add);
    for (Told told : open.values()) {
      if (RunTimeRecords.seconds(told.at, now) > told.spread.middle()) {
        known.add(outcome(told, now));
      }
    }
    known.sort(Comparator.comparingDouble(each -> Math.abs(ratio(each.middle, middle))));
    return known.subList(0, Math.min(known.size(), NEIGHBOURS));
  }

  private static Outcome outcome(Told told, Instant start) {
    double waited = RunTimeRecords.seconds(told.at, start);
    return new Outcome(
        told.spread.middle(),
        ratio(waited, told.spread.least()),
        ratio(waited, told.spread.most()));
  }

  private static double ratio(double one, double other) {
    return StrictMath.log((one + SMOOTHING) / (other + SMOOTHING));
  }

  private static double stretched(double wait, double ratio) {
    return ratio == 0 ? wait : Math.max(0, (wait + SMOOTHING) * StrictMath.exp(ratio) - SMOOTHING);
  }

  private static Instant after(Instant now, double wait) {
    return now.plusNanos(Math.round(Math.min(wait * 1e9, LONGEST)));
  }
}
