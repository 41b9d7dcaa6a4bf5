package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts the jobs promised a start, and those that started no later than first promised. */
final class Promises {

  private static final String RESERVES = "backfill.reservations";

  // Never iterated.
  private final Map<JobId, Instant> first = new HashMap<>();
  private final Scheduler scheduler;
  private final boolean areMade;
  private long made;
  private long kept;

  Promises(Scheduler scheduler) {
    this.scheduler = scheduler;
    areMade = scheduler.parameters().containsKey(RESERVES);
  }

  /** Notes what is promised after an event, and what it has kept. */
  void note(Instant now, Iterable<Decision> decisions) {
    if (!areMade) {
      return;
    }
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Start start) {
        @Nullable Instant promised = first.remove(start.job());
        kept += promised != null && !now.isAfter(promised) ? 1 : 0;
      }
    }
    scheduler
        .reservedStarts()
        .forEach((job, start) -> made += first.putIfAbsent(job, start) == null ? 1 : 0);
  }

  /** Returns the counts, if there can be any. */
  Optional<SimulationResult.PromiseCounts> counts() {
    return areMade ? Optional.of(new SimulationResult.PromiseCounts(made, kept)) : Optional.empty();
  }
}
