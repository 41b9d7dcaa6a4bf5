package io.github.liquidscheduler.scheduler.prefetch;

import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Forecast;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which copies waiting jobs are expected to read, each with the first that does. */
record ExpectedReads(Map<DataCopy.Key, Read> reads) {

  /**
   * A job reads a copy.
   *
   * @param copy the copy
   * @param job the job
   * @param at when it starts
   * @param gpus how many GPUs idle while it reads
   */
  record Read(DataCopy copy, JobId job, Instant at, int gpus) {}

  static ExpectedReads of(Scheduler scheduler, int lookAhead) {
    Map<DataCopy.Key, Read> reads = new LinkedHashMap<>();
    for (Forecast.Step step : scheduler.whatIf(List.of(), lookAhead).steps()) {
      for (Decision decision : step.decisions()) {
        if (decision instanceof Decision.Start start) {
          scheduler.job(start.job()).ifPresent(job -> add(job, start, step, reads));
        }
      }
    }
    return new ExpectedReads(reads);
  }

  private static void add(
      JobSpec job, Decision.Start start, Forecast.Step step, Map<DataCopy.Key, Read> reads) {
    job.dataset()
        .ifPresent(
            dataset -> {
              for (TaskPlacement task : start.placement().tasks()) {
                DataCopy copy = new DataCopy(dataset, task.node());
                Read read = new Read(copy, job.id(), step.event().at(), job.gpus());
                reads.putIfAbsent(copy.key(), read);
              }
            });
  }

  /** Returns the reads in the order of their times. */
  Collection<Read> inOrder() {
    return reads.values();
  }

  boolean isExpected(Transfer transfer) {
    return reads.containsKey(transfer.copy().key());
  }
}
