package io.github.liquidscheduler.scheduler.forecast;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Says when waiting jobs start, and between which times in nine of ten cases.
 *
 * <p>It looks ahead in {@value #SCENARIOS} scenarios. In each, every job runs as long as some job
 * did that had run as long before, in parts of what was expected; a job of which nothing is
 * expected, in seconds. So who waits behind many jobs, or for the last of many nodes, is foreseen
 * as uncertain as that is, and a job that has outlived its expectation is not taken to end next.
 * Jobs that come later are not foreseen: what they change is learned, as are all other errors, from
 * how far past jobs started outside of what the scenarios spanned.
 *
 * <p>Lengths are those on the clock: on several GPU models, and of elastic jobs, the spread of
 * speeds counts as one of lengths. It stands beside the scheduler: what is asked is no event, and
 * changes no decision. It begins without knowledge, and is in no snapshot. It remembers the last
 * thousand ends, the last 500 forecasts that came true, and who has not ended. Same calls, same
 * answers. Not thread-safe.
 */
public final class StartForecasts {

  static final int SCENARIOS = RunTimeRecords.SCENARIOS;

  private final RunTimeRecords records = new RunTimeRecords();
  private final WaitCalibration calibration = new WaitCalibration();

  /** Makes forecasts that know of no job yet. */
  public StartForecasts() {}

  /**
   * Takes note of an event and what was decided then. To be called after every event, from the
   * first on; of jobs that it was not told of nothing is learned.
   */
  public void decided(ClusterEvent event, List<Decision> decisions) {
    records.observe(event, decisions);
    if (event instanceof ClusterEvent.JobCancelled cancelled) {
      calibration.forget(cancelled.job());
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
   * Returns when a waiting job starts; empty while fewer than 20 jobs of which that was asked have
   * started, and if there is a scenario in which it does not start. Only the first forecast of a
   * job is learned from. As much as {@value #SCENARIOS} times {@link Scheduler#startIf}; as once
   * while fewer than 20 jobs have ended, or if all ran as long as expected.
   *
   * @param scheduler which decides about the job; it does not change
   * @param now when that is asked, not before the last event
   * @param steps how many ends, and times at which the scheduler wants to decide, are looked at in
   *     each scenario
   */
  public Optional<StartInterval> forecast(JobId job, Scheduler scheduler, Instant now, int steps) {
    return spread(job, scheduler, now, steps)
        .flatMap(spread -> calibration.forecast(job, now, spread));
  }

  private Optional<WaitSpread> spread(JobId job, Scheduler scheduler, Instant now, int steps) {
    List<Double> waits = new ArrayList<>();
    for (RunTimeScenario scenario : records.scenarios(now, each -> isRunning(each, scheduler))) {
      Optional<Instant> start = scheduler.startIf(job, scenario, steps);
      if (start.isEmpty()) {
        return Optional.empty();
      }
      waits.add(RunTimeRecords.seconds(now, start.get()));
    }
    return waits.isEmpty()
        ? Optional.empty()
        : Optional.of(WaitSpread.of(waits.stream().mapToDouble(Double::doubleValue).toArray()));
  }

  private static boolean isRunning(JobId job, Scheduler scheduler) {
    return scheduler
        .status(job)
        .filter(
            status -> status instanceof JobStatus.Running || status instanceof JobStatus.Resizing)
        .isPresent();
  }
}
