package io.github.liquidscheduler.runtime;

import static io.github.liquidscheduler.runtime.LoopFixture.answer;
import static io.github.liquidscheduler.runtime.LoopFixture.end;
import static io.github.liquidscheduler.runtime.LoopFixture.scheduler;
import static io.github.liquidscheduler.runtime.LoopFixture.submission;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerListener;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.TurnTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What fails around a loop, and how it ends. */
class LoopFailureTest {

  private final LoopFixture fixture = new LoopFixture();
  private final ManualTime time = fixture.time;
  private final Recorder recorder = fixture.recorder;
  private final List<Throwable> failures = new ArrayList<>();

  private SchedulerLoop.Builder loop() {
    return fixture.loop(scheduler().build()).failures(failures::add);
  }

  private static UncheckedIOException diskFull() {
    return new UncheckedIOException(new IOException("disk full"));
  }

  @Test
  void aJournalThatCannotBeWrittenStopsTheLoopAndNobodyActs() {
    EventJournal broken =
        EventJournal.of(
            (event, decisions) -> {
              throw diskFull();
            },
            () -> {});
    SchedulerLoop loop = loop().journal(broken).start();

    CompletionStage<List<Decision>> first = loop.offer(submission("a", 1));
    CompletionStage<List<Decision>> second = loop.offer(submission("b", 1));
    time.settle();

    assertThat(recorder.handled).isEmpty();
    assertIsStopped(first);
    assertIsStopped(second);
    assertIsStopped(loop.offer(submission("c", 1)));
    assertIsStopped(loop.ask(Scheduler::waiting));
    assertIsStopped(loop.stopped());
    assertThat(failures).hasSize(1);
  }

  @Test
  void aJournalThatIsNotDurableStopsTheLoopAndNobodyActs() {
    EventJournal broken =
        EventJournal.of(
            (event, decisions) -> {},
            () -> {
              throw diskFull();
            });
    SchedulerLoop loop = loop().journal(broken).start();

    CompletionStage<List<Decision>> first = loop.offer(submission("a", 1));
    time.settle();

    assertThat(recorder.handled).isEmpty();
    assertIsStopped(first);
    assertIsStopped(loop.stopped());
  }

  private static void assertIsStopped(CompletionStage<?> stage) {
    assertThat(stage.toCompletableFuture()).isCompletedExceptionally();
    assertThatThrownBy(() -> stage.toCompletableFuture().join())
        .cause()
        .isInstanceOf(LoopStoppedException.class)
        .hasMessageContaining("disk full")
        .hasMessageEndingWith("Start again from the journal");
  }

  @Test
  void aHandlerThatFailsIsToldOfAndTheNextDecisionIsHandedOut() {
    List<JobId> started = new ArrayList<>();
    DecisionHandler failing =
        decision -> {
          JobId job = ((Decision.Start) decision).job();
          if (job.equals(JobId.of("a"))) {
            throw new IllegalStateException("no launcher");
          }
          started.add(job);
        };
    SchedulerLoop loop = loop().handler(failing).start();

    CompletionStage<List<Decision>> first = loop.offer(submission("a", 1));
    loop.offer(submission("b", 1));
    time.settle();

    assertThat(answer(first)).hasSize(1);
    assertThat(started).containsExactly(JobId.of("b"));
    assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
    assertThat(recorder.handlerFailures).hasSize(1);
  }

  @Test
  void aFailureThatNobodyTakesGoesToTheThread() {
    List<Throwable> uncaught = new ArrayList<>();
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
    thread.setUncaughtExceptionHandler((any, failure) -> uncaught.add(failure));
    try {
      SchedulerLoop loop =
          loop()
              .handler(decision -> refuse("no launcher"))
              .failures(any -> refuse("no pager"))
              .start();
      CompletionStage<List<Decision>> first = loop.offer(submission("a", 1));
      time.settle();
      assertThat(answer(first)).hasSize(1);
    } finally {
      thread.setUncaughtExceptionHandler(before);
    }

    assertThat(uncaught).singleElement().extracting(Throwable::getMessage).isEqualTo("no launcher");
    assertThat(uncaught.getFirst().getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly("no pager");
  }

  private static void refuse(String why) {
    throw new IllegalStateException(why);
  }

  @Test
  void aListenerThatFailsDisturbsNobody() {
    SchedulerListener failing =
        new SchedulerListener() {
          @Override
          public void decided(
              ClusterEvent event, List<Decision> decisions, TurnTimes times, Scheduler s) {
            throw new IllegalStateException("no registry");
          }
        };
    Recorder second = new Recorder();
    SchedulerLoop loop = loop().listener(failing).listener(second).start();

    CompletionStage<List<Decision>> offer = loop.offer(submission("a", 1));
    time.settle();

    assertThat(answer(offer)).hasSize(1);
    assertThat(second.heard).containsExactly("decided JobSubmitted");
    assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aListenerCannotFeedEventsPastTheJournal() {
    SchedulerListener meddling =
        new SchedulerListener() {
          @Override
          public void decided(
              ClusterEvent event, List<Decision> decisions, TurnTimes times, Scheduler s) {
            s.on(event);
          }
        };
    SchedulerLoop loop = loop().listener(meddling).start();
    loop.offer(submission("a", 1));
    time.settle();

    assertThat(failures).singleElement().isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void anExecutorThatTakesNoMoreStopsTheLoop() {
    SchedulerLoop loop =
        loop()
            .executor(
                task -> {
                  throw new RejectedExecutionException("closed");
                })
            .start();

    CompletionStage<List<Decision>> offer = loop.offer(submission("a", 1));

    assertThatThrownBy(() -> answer(offer))
        .hasCauseInstanceOf(LoopStoppedException.class)
        .hasRootCauseInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void aShutdownTakesWhatWasReportedAndNothingMore() {
    SchedulerLoop loop = loop().start();
    CompletionStage<List<Decision>> before = loop.offer(submission("a", 1));
    CompletionStage<SchedulerSnapshot> last = loop.shutdown();
    CompletionStage<List<Decision>> after = loop.offer(submission("b", 1));
    time.settle();

    assertThat(answer(before)).hasSize(1);
    assertThatThrownBy(() -> answer(after))
        .cause()
        .hasMessage("the loop was shut down, so it takes no events");
    Scheduler restored = scheduler().restore(last.toCompletableFuture().join());
    assertThat(restored.view().runningJobs()).containsExactly(JobId.of("a"));
    assertThat(failures).isEmpty();
  }

  @Test
  void aShutdownDoesNotWaitForTheHeartbeat() {
    SchedulerLoop loop = loop().heartbeat(Duration.ofSeconds(5)).start();
    time.pass(Duration.ofSeconds(1));
    CompletionStage<List<Decision>> before = loop.offer(submission("a", 1));
    time.settle();

    loop.shutdown();
    time.settle();

    assertThat(answer(before)).hasSize(1);
    assertThat(time.set()).isEmpty();
  }

  @Test
  void aSecondShutdownIsAnsweredToo() {
    SchedulerLoop loop = loop().start();
    loop.shutdown();
    time.settle();

    assertThat(loop.shutdown().toCompletableFuture()).isCompleted();
  }

  @Test
  void aLoopGoesOnFromASnapshot() {
    SchedulerLoop first = loop().start();
    first.offer(submission("a", 4));
    first.offer(submission("b", 4));
    time.settle();
    CompletionStage<SchedulerSnapshot> last = first.shutdown();
    time.settle();
    LiquidScheduler restored = scheduler().restore(last.toCompletableFuture().join());
    time.set(ManualTime.NOON.minusSeconds(1));

    SchedulerLoop second = fixture.loop(restored).start();
    CompletionStage<List<Decision>> offer = second.offer(end("a"));
    time.settle();

    assertThat(answer(offer)).hasSize(1);
  }
}
