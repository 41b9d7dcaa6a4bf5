package io.github.liquidscheduler.estimator.duration;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Estimates running times in seconds, as a median with the interval from the 5 % to the 95 %
 * quantile. Asked in this order: what work and predicted speed lead to; the past of jobs of the
 * same queue, family and size, then of the same queue and family, the same queue, any job,
 * whichever has at least {@value #ENOUGH} examples; what the user expects; nothing.
 *
 * <p>A running job is judged by those of its kind that ran longer than it has; once it reports
 * progress, by its own speed, more so the further it is.
 *
 * <p>Not thread-safe.
 */
public final class DurationEstimator {
  private static final int ENOUGH = 5;

  /**
   * How far off work divided by predicted speed, and a user, may be: factors of the 90 % interval.
   */
  private static final double SPEED_SPREAD = 1.5;

  private static final double USER_SPREAD = 5;

  private final Map<List<Object>, RecentTimes> past = new LinkedHashMap<>();

  /** Makes an estimator that knows nothing yet. */
  public DurationEstimator() {}

  /** Learns how long a job ran from start to end, not counting time during which it did not run. */
  public void observe(JobSpec job, Duration ran) {
    double seconds = ran.toNanos() / 1e9;
    for (List<Object> key : keys(job)) {
      past.computeIfAbsent(key, unused -> new RecentTimes()).add(seconds);
    }
  }

  /**
   * Returns the running time of a job that has not started.
   *
   * @param iterationsPerSecond the speed predicted for it, if any
   */
  public Prediction total(JobSpec job, OptionalDouble iterationsPerSecond) {
    return fromWork(job, iterationsPerSecond)
        .or(() -> fromPast(job, 0))
        .or(() -> fromUser(job))
        .orElse(
            new Prediction(
                Double.POSITIVE_INFINITY, 0, Double.POSITIVE_INFINITY, Provenance.DEFAULT));
  }

  /**
   * Returns the remaining run time of a job that has run for {@code elapsed}.
   *
   * @param progress the part of its work that is done, from 0 to 1, if it reports any
   * @throws IllegalArgumentException if the progress is not from 0 to 1
   */
  public Prediction remaining(JobSpec job, Duration elapsed, OptionalDouble progress) {
    double done = progress.orElse(0);
    if (!(done >= 0 && done <= 1)) {
      throw new IllegalArgumentException(
          "progress must be from 0 to 1, but was " + done + ", for job '" + job.id() + "'");
    }
    double ran = elapsed.toNanos() / 1e9;
    Optional<Prediction> others = fromPast(job, ran).map(total -> less(total, ran));
    if (done == 0 || ran == 0) {
      return others.orElseGet(() -> less(total(job, OptionalDouble.empty()), ran));
    }
    Prediction own = ownSpeed(ran * (1 - done) / done, done);
    return others.map(kind -> blended(own, kind, done)).orElse(own);
  }

  private static Optional<Prediction> fromWork(JobSpec job, OptionalDouble rate) {
    long iterations =
        job.expectedWork().map(ExpectedWork::iterations).map(work -> work.orElse(0)).orElse(0L);
    if (iterations == 0 || rate.isEmpty() || !(rate.getAsDouble() > 0)) {
      return Optional.empty();
    }
    double seconds = iterations / rate.getAsDouble();
    return Optional.of(around(seconds, SPEED_SPREAD, Provenance.LEARNED));
  }

  private static Optional<Prediction> fromUser(JobSpec job) {
    return job.expectedWork()
        .flatMap(ExpectedWork::duration)
        .map(stated -> around(stated.toNanos() / 1e9, USER_SPREAD, Provenance.PRIOR));
  }

  private Optional<Prediction> fromPast(JobSpec job, double elapsed) {
    List<List<Object>> keys = keys(job);
    for (List<Object> key : keys) {
      RecentTimes times = past.get(key);
      double[] longer = times == null ? new double[0] : times.longerThan(elapsed);
      if (longer.length >= ENOUGH) {
        boolean isSameKind = key.size() == keys.getFirst().size();
        return Optional.of(
            RecentTimes.median(longer, isSameKind ? Provenance.LEARNED : Provenance.SIMILAR));
      }
    }
    return Optional.empty();
  }

  /** From the most alike to any. */
  private static List<List<Object>> keys(JobSpec job) {
    String family = job.workload().family();
    return List.of(
        List.of(job.queue(), family, job.gpus()),
        List.of(job.queue(), family),
        List.of(job.queue()),
        List.of());
  }

  /** What its own speed says: off by as much as is left to see of the work. */
  private static Prediction ownSpeed(double seconds, double done) {
    double spread = 1 + (1 - done) * (SPEED_SPREAD - 1) * 2;
    return around(seconds, spread, Provenance.MEASURED);
  }

  private static Prediction blended(Prediction own, Prediction kind, double weight) {
    return new Prediction(
        blended(own.value(), kind.value(), weight),
        blended(own.low(), kind.low(), weight),
        blended(own.high(), kind.high(), weight),
        Provenance.MEASURED);
  }

  private static double blended(double own, double kind, double weight) {
    return weight * own + (1 - weight) * kind;
  }

  private static Prediction less(Prediction total, double ran) {
    return new Prediction(
        Math.max(0, total.value() - ran),
        Math.max(0, total.low() - ran),
        Math.max(0, total.high() - ran),
        total.provenance());
  }

  private static Prediction around(double seconds, double spread, Provenance provenance) {
    return new Prediction(seconds, seconds / spread, seconds * spread, provenance);
  }
}
