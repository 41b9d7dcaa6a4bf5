package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.lab.reference.WholeSeconds;
import io.github.liquidscheduler.placement.timeline.WaitingJob;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalLong;

/** A job during one run. Mutable. Times are whole seconds. */
final class BackfillJob {

  /** By submission, then by id: numbers as numbers, all else as text. */
  static final Comparator<BackfillJob> ORDER =
      Comparator.comparingLong(BackfillJob::submit)
          .thenComparing(job -> job.job.id(), BackfillJob::compareIds);

  private final TraceJob job;
  private final long submit;
  private final long duration;
  private final WaitingJob<Integer> waiting;

  private long start;
  private long predictedEnd;
  private OptionalLong promised = OptionalLong.empty();

  /**
   * Makes a job that is not there yet.
   *
   * @param predicted how long it is predicted to run, at least 1
   */
  BackfillJob(TraceJob job, long predicted) {
    this.job = job;
    this.submit = WholeSeconds.submission(job);
    this.duration = duration(job);
    this.waiting = new WaitingJob<>(JobId.of(job.id()), job.gpus(), predicted);
  }

  private static long duration(TraceJob job) {
    long duration = WholeSeconds.duration(job);
    if (duration < 1) {
      throw new IllegalArgumentException(
          "a job must run for at least 1 second, but ran for 0, for " + job);
    }
    return duration;
  }

  private static int compareIds(String one, String other) {
    boolean areNumbers = isNumber(one) && isNumber(other);
    int byLength = areNumbers ? Integer.compare(one.length(), other.length()) : 0;
    return byLength == 0 ? one.compareTo(other) : byLength;
  }

  private static boolean isNumber(String id) {
    return id.equals("0")
        || (id.charAt(0) != '0' && id.chars().allMatch(digit -> '0' <= digit && digit <= '9'));
  }

  JobId id() {
    return waiting.id();
  }

  long submit() {
    return submit;
  }

  /** Returns the job as those see it who decide. */
  WaitingJob<Integer> waiting() {
    return waiting;
  }

  void start(StartedJob<GpusOnNodes> started) {
    start = started.slot().window().start();
    predictedEnd = started.slot().window().end();
    promised = started.promised();
  }

  /** Predicts the end of a job that goes on anew: twice the time so far. */
  void overrun(long now) {
    predictedEnd = start + 2 * (now - start);
  }

  long end() {
    return start + duration;
  }

  long predictedEnd() {
    return predictedEnd;
  }

  /** Returns whether the job ever held a reservation that began later than it was given. */
  boolean isPromised() {
    return promised.isPresent();
  }

  /** Returns whether the job started no later than it was first promised. */
  boolean isPromiseKept() {
    return promised.isPresent() && start <= promised.getAsLong();
  }

  JobOutcome outcome() {
    return new JobOutcome(
        job, Duration.ofSeconds(start), Duration.ofSeconds(end()), Duration.ofSeconds(duration), 0);
  }
}
