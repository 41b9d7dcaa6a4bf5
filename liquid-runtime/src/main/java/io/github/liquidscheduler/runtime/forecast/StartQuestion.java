package io.github.liquidscheduler.runtime.forecast;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The question when a job starts.
 *
 * @param scheduler the scheduler of the job, or a copy of it
 * @param scenarios how long all jobs may run
 */
record StartQuestion(JobId job, Scheduler scheduler, Instant now, List<RunTimeScenario> scenarios) {

  /** Returns how long the job waits in the scenarios; empty if it does not start in one of them. */
  Optional<WaitSpread> spread(int steps) {
    double[] waits = new double[scenarios.size()];
    for (int i = 0; i < waits.length; i++) {
      Optional<Instant> start = scheduler.startIf(job, scenarios.get(i), steps);
      if (start.isEmpty()) {
        return Optional.empty();
      }
      waits[i] = RunTimeRecords.seconds(now, start.get());
    }
    return Optional.of(WaitSpread.of(waits));
  }
}
