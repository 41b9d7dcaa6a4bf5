package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.json.JournalDirectory.Recovery;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A scheduler that takes numbered events and journals them, until its process is killed. */
final class JournaledRun {

  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  private JournaledRun() {}

  static LiquidScheduler scheduler() {
    return LoopFixture.scheduler().build();
  }

  static LiquidScheduler restored(JournalHeader header) {
    return LoopFixture.scheduler().restore(header.start().orElseThrow());
  }

  /**
   * Returns the event of a number, from 1: two jobs come, one ends, the other with time passing.
   */
  static ClusterEvent event(int number) {
    Instant at = NOON.plusSeconds(number);
    ClusterEvent end = new ClusterEvent.JobFinished(at, JobId.of("job-" + (number - 2)));
    return switch (number % 4) {
      case 3 -> end;
      case 0 -> ClusterEvent.together(List.of(new ClusterEvent.TimePassed(at), end));
      default -> LoopFixture.submission("job-" + number, 1).apply(at);
    };
  }

  /** Returns the number of the last event that a scheduler has taken; 0 if none. */
  static int taken(LiquidScheduler scheduler) {
    Instant now = scheduler.snapshot().now();
    return now.isBefore(NOON) ? 0 : (int) Duration.between(NOON, now).toSeconds();
  }

  /** Goes on in a directory for ever, and prints the number of each event once it is forced. */
  public static void main(String[] arguments) {
    try (JournalDirectory journals = JournalDirectory.lock(Path.of(arguments[0]))) {
      LiquidScheduler scheduler =
          journals
              .recover(JournaledRun::restored)
              .map(Recovery::scheduler)
              .orElseGet(JournaledRun::scheduler);
      while (true) {
        journals.rotate(scheduler);
        journals.prune(2);
        for (int i = 0; i < 5; i++) {
          int number = taken(scheduler) + 1;
          ClusterEvent event = event(number);
          journals.append(event, scheduler.on(event));
          journals.force();
          System.out.println(number);
          System.out.flush();
        }
      }
    }
  }
}
