package io.github.liquidscheduler.runtime;

import static io.github.liquidscheduler.runtime.LoopFixture.end;
import static io.github.liquidscheduler.runtime.LoopFixture.report;
import static io.github.liquidscheduler.runtime.LoopFixture.scheduler;
import static io.github.liquidscheduler.runtime.LoopFixture.submission;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.json.EventJournalReader;
import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.json.JournalReplay;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.Decision;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real threads, a real clock and a real file; it ends when every job has. */
class ManyThreadsTest {
  private static final int PRODUCERS = 4;
  private static final int JOBS_EACH = 250;

  @TempDir Path folder;

  @Test
  void everyJobRunsAndTheFileTellsWhatWasDecided() throws Exception {
    run("as-they-come", Duration.ZERO);
  }

  @Test
  void everyJobRunsByHeartbeatsToo() throws Exception {
    run("by-heartbeats", Duration.ofMillis(2));
  }

  private void run(String name, Duration beat) throws Exception {
    Path file = folder.resolve(name);
    LiquidScheduler scheduler = scheduler().startsPerEvent(1).build();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    CountDownLatch ended = new CountDownLatch(PRODUCERS * JOBS_EACH);
    try (EventJournalWriter journal =
            EventJournalWriter.create(file, header(scheduler), EventJournalWriter.Flush.ON_CLOSE);
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(3);
        ExecutorService jobs = Executors.newFixedThreadPool(4);
        ExecutorService producers = Executors.newFixedThreadPool(PRODUCERS)) {
      AtomicReference<SchedulerLoop> self = new AtomicReference<>();
      SchedulerLoop.Builder builder =
          SchedulerLoop.builder(scheduler, InstantSource.system())
              .threads(threads)
              .journal(EventJournal.of(journal::append, journal::flush))
              .failures(failures::add)
              .handler(decision -> jobs.execute(() -> carryOut(decision, self.get(), ended)));
      self.set((beat.isZero() ? builder : builder.heartbeat(beat)).start());
      for (int producer = 0; producer < PRODUCERS; producer++) {
        int first = producer * JOBS_EACH;
        producers.execute(() -> submit(self.get(), first));
      }
      ended.await();
      self.get().shutdown().toCompletableFuture().join();
    }

    assertThat(failures).isEmpty();
    try (EventJournalReader journal =
        EventJournalReader.open(file, EventJournalReader.Truncation.REFUSE)) {
      JournalReplay replay = JournalReplay.of(journal, scheduler().startsPerEvent(1).build());
      assertThat(replay.divergence()).isEmpty();
      assertThat(replay.decisions()).isEqualTo((long) PRODUCERS * JOBS_EACH);
    }
  }

  private static JournalHeader header(LiquidScheduler scheduler) {
    return JournalHeader.builder(scheduler).recordDecisions(true).build();
  }

  private static void submit(SchedulerLoop loop, int first) {
    for (int i = 0; i < JOBS_EACH; i++) {
      loop.offer(submission("job-" + (first + i), 1 + i % 4));
    }
  }

  private static void carryOut(Decision decision, SchedulerLoop loop, CountDownLatch ended) {
    String job = ((Decision.Start) decision).job().value();
    loop.offer(report(job, 1));
    loop.offer(report(job, 2));
    loop.offer(end(job)).thenRun(ended::countDown);
  }
}
