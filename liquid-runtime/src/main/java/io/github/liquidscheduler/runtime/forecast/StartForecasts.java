package io.github.liquidscheduler.runtime.forecast;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Forecasts start times of waiting jobs with 90 % intervals.
 *
 * <p>It looks ahead in {@value #SCENARIOS} run-time scenarios: each job takes the run time of a
 * past job that reached its age, relative to its expected duration, or in seconds without one.
 * Starts behind many jobs, or on the last of many nodes, thus get wide intervals, and a job that
 * outlived its expectation is not taken to end next. Later arrivals are not simulated: their effect
 * and other errors are learned from past forecasts that missed.
 *
 * <p>Lengths are wall-clock times: differing speeds of GPU models and of elastic sizes count as
 * spread of run times. It stands beside the scheduler: questions are no events and change no
 * decision. It starts without knowledge, or {@linkplain #load where others stopped}. It remembers
 * the last thousand ends, the last 500 forecasts that came true, and open jobs. Same calls, same
 * answers. Not thread-safe.
 */
public final class StartForecasts {

  static final int SCENARIOS = RunTimeRecords.SCENARIOS;

  private final RunTimeRecords records;
  private final WaitCalibration calibration;

  /** Makes forecasts without observations. */
  public StartForecasts() {
    this(new RunTimeRecords(), new WaitCalibration());
  }

  private StartForecasts(RunTimeRecords records, WaitCalibration calibration) {
    this.records = records;
    this.calibration = calibration;
  }

  /**
   * Returns forecasts that go on from what others had observed.
   *
   * @throws IllegalArgumentException if {@link #save} did not make the section
   */
  public static StartForecasts load(SnapshotSection saved) {
    return saved.read(
        in ->
            new StartForecasts(
                in.value("runTimes", SnapshotSection.class).read(RunTimeRecords::load),
                in.value("waits", SnapshotSection.class).read(WaitCalibration::load)));
  }

  /** Returns all that was observed, to go on from after a restart. */
  public SnapshotSection save() {
    return SnapshotSection.builder()
        .put("runTimes", records.save())
        .put("waits", calibration.save())
        .build();
  }

  /**
   * Records an event and its decisions. To be called after every event from the first on; unknown
   * jobs are ignored.
   */
  public void decided(ClusterEvent event, List<Decision> decisions) {
    records.observe(event, decisions);
    for (ClusterEvent each : event.events()) {
      if (each instanceof ClusterEvent.JobCancelled cancelled) {
        calibration.forget(cancelled.job());
      }
    }
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Start start) {
        calibration.started(start.job(), event.at());
      } else if (decision instanceof Decision.Reject reject) {
        calibration.forget(reject.job());
      }
    }
  }

  /**
   * Returns the forecast start of a waiting job; empty until 20 forecast jobs have started, or if
   * the job does not start in some scenario. Only a job's first forecast is learned from. Costs
   * {@value #SCENARIOS} calls of {@link Scheduler#startIf}; one while fewer than 20 jobs have ended
   * or if all ran as expected.
   *
   * @param scheduler the scheduler of the job; unchanged
   * @param now the time of the question, not before the last event
   * @param steps the number of job ends and wake-ups simulated per scenario
   */
  public Optional<StartInterval> forecast(JobId job, Scheduler scheduler, Instant now, int steps) {
    StartQuestion question = ask(job, scheduler, now);
    return question.spread(steps).flatMap(spread -> calibration.forecast(job, now, spread));
  }

  /** Returns a question about a job: how long all jobs may run, as far as is known now. */
  StartQuestion ask(JobId job, Scheduler scheduler, Instant now) {
    return new StartQuestion(
        job, scheduler, now, records.scenarios(now, each -> isRunning(each, scheduler)));
  }

  /** Returns the forecast for a question, and learns from it later if the job still waits. */
  Optional<StartInterval> conclude(StartQuestion question, WaitSpread spread) {
    return records.isWaiting(question.job())
        ? calibration.forecast(question.job(), question.now(), spread)
        : Optional.empty();
  }

  private static boolean isRunning(JobId job, Scheduler scheduler) {
    return scheduler
        .status(job)
        .filter(
            status ->
                status instanceof JobStatus.Starting
                    || status instanceof JobStatus.Running
                    || status instanceof JobStatus.Resizing
                    || status instanceof JobStatus.Moving)
        .isPresent();
  }
}
