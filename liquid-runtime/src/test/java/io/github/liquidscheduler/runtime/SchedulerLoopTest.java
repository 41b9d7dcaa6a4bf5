package io.github.liquidscheduler.runtime;

import static io.github.liquidscheduler.runtime.LoopFixture.answer;
import static io.github.liquidscheduler.runtime.LoopFixture.end;
import static io.github.liquidscheduler.runtime.LoopFixture.report;
import static io.github.liquidscheduler.runtime.LoopFixture.scheduler;
import static io.github.liquidscheduler.runtime.LoopFixture.submission;
import static io.github.liquidscheduler.runtime.ManualTime.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SchedulerLoopTest {

  private final LoopFixture fixture = new LoopFixture();
  private final ManualTime time = fixture.time;
  private final Recorder recorder = fixture.recorder;

  @Test
  void anOfferIsAnsweredByWhatWasDecided() {
    SchedulerLoop loop = fixture.started();

    CompletionStage<List<Decision>> offer = loop.offer(submission("a", 4));
    time.settle();

    assertThat(answer(offer)).isEqualTo(recorder.handled).hasSize(1);
    assertThat(recorder.events()).containsExactly(submission("a", 4).apply(NOON));
  }

  @Test
  void nothingIsDecidedByTheThreadThatOffers() {
    SchedulerLoop loop = fixture.started();
    time.settle();

    loop.offer(submission("a", 4));

    assertThat(recorder.heard).isEmpty();
    assertThat(loop.queued()).isEqualTo(1);
  }

  @Test
  void aBurstIsMadeDurableOnceAndBeforeAnybodyActs() {
    SchedulerLoop loop = fixture.started();

    loop.offer(submission("a", 4));
    loop.offer(submission("b", 4));
    loop.offer(end("a"));
    time.settle();

    assertThat(recorder.heard)
        .containsExactly(
            "append JobSubmitted",
            "append JobSubmitted",
            "append JobFinished",
            "commit",
            "handle Start",
            "decided JobSubmitted",
            "decided JobSubmitted",
            "handle Start",
            "decided JobFinished");
  }

  @Test
  void aBurstIsBoundedSoThatItsFirstEventsAreAnsweredSoon() {
    SchedulerLoop loop = fixture.started();
    for (int i = 0; i < 130; i++) {
      loop.offer(submission("job-" + i, 8));
    }
    time.settle();

    assertThat(recorder.heard.stream().filter("commit"::equals)).hasSize(3);
    assertThat(recorder.journal).hasSize(130);
  }

  @Test
  void aRefusedEventIsNotJournaledAndTheLoopGoesOn() {
    SchedulerLoop loop = fixture.started();

    CompletionStage<List<Decision>> unknown = loop.offer(end("a"));
    CompletionStage<List<Decision>> next = loop.offer(submission("a", 1));
    time.settle();

    assertThatThrownBy(() -> answer(unknown)).hasCauseInstanceOf(IllegalArgumentException.class);
    assertThat(answer(next)).hasSize(1);
    assertThat(recorder.heard)
        .containsExactly(
            "append JobSubmitted",
            "commit",
            "refused JobFinished",
            "handle Start",
            "decided JobSubmitted");
  }

  @Test
  void aStaleEventIsToldApart() {
    SchedulerLoop loop = fixture.started();
    loop.offer(submission("a", 1));
    loop.offer(end("a"));
    CompletionStage<List<Decision>> twice = loop.offer(end("a"));
    time.settle();

    assertThatThrownBy(() -> answer(twice)).hasCauseInstanceOf(StaleEventException.class);
  }

  @Test
  void anEventThatCannotBeMadeIsAnsweredAndTheLoopGoesOn() {
    SchedulerLoop loop = fixture.started();

    CompletionStage<List<Decision>> broken =
        loop.offer(
            now -> {
              throw new IllegalStateException("no event");
            });
    loop.offer(submission("a", 1));
    time.settle();

    assertThatThrownBy(() -> answer(broken)).hasRootCauseMessage("no event");
    assertThat(recorder.handled).hasSize(1);
    assertThat(loop.queued()).isZero();
  }

  @Test
  void reportsOfOneJobThatWaitTogetherAreTakenAsTheLast() {
    SchedulerLoop loop = fixture.started();
    loop.offer(submission("a", 1));
    loop.offer(submission("b", 1));
    time.settle();

    CompletionStage<List<Decision>> first = loop.offer(report("a", 1));
    loop.offer(report("b", 7));
    loop.offer(report("a", 2));
    time.settle();

    assertThat(answer(first)).isEmpty();
    assertThat(recorder.events().subList(2, 4))
        .containsExactly(report("b", 7).apply(NOON), report("a", 2).apply(NOON));
    assertThat(recorder.superseded).isEqualTo(1);
    assertThat(loop.queued()).isZero();
  }

  @Test
  void aReportIsNotSupersededByOneOfTheJobsNextStart() {
    SchedulerLoop loop = fixture.started();
    loop.offer(submission("a", 1));
    loop.offer(report("a", 1));
    loop.offer(
        now -> new ClusterEvent.JobFailed(now, JobId.of("a"), Failure.NOT_STARTED, Retry.now()));
    loop.offer(report("a", 2));
    time.settle();

    assertThat(recorder.superseded).isZero();
  }

  @Test
  void aReportIsNotSupersededAcrossTheLossOfANode() {
    SchedulerLoop loop = fixture.started();
    loop.offer(submission("a", 1));
    loop.offer(report("a", 1));
    loop.offer(now -> new ClusterEvent.NodeLost(now, NodeId.of("node-0")));
    loop.offer(report("a", 2));
    time.settle();

    assertThat(recorder.superseded).isZero();
    assertThat(recorder.heard).contains("refused JobProgressed");
  }

  @Test
  void theSchedulerIsWokenWhenItWantsToBe() {
    SchedulerLoop loop = fixture.started();
    loop.offer(submission("a", 1));
    Retry later = Retry.after(Duration.ofMinutes(2));
    loop.offer(now -> new ClusterEvent.JobFailed(now, JobId.of("a"), Failure.NOT_STARTED, later));
    time.settle();

    assertThat(time.set()).containsExactly(NOON.plus(Duration.ofMinutes(2)));
    time.pass(Duration.ofMinutes(2));

    assertThat(recorder.handled).hasSize(2);
    assertThat(recorder.events().getLast())
        .isEqualTo(new ClusterEvent.TimePassed(NOON.plus(Duration.ofMinutes(2))));
    assertThat(time.set()).isEmpty();
  }

  @Test
  void aTimerThatRingsTooEarlyIsSetAgain() {
    SchedulerLoop loop = fixture.started();
    loop.offer(submission("a", 1));
    Retry later = Retry.after(Duration.ofMinutes(2));
    loop.offer(now -> new ClusterEvent.JobFailed(now, JobId.of("a"), Failure.NOT_STARTED, later));
    time.settle();

    time.ringAll();

    assertThat(time.set()).containsExactly(NOON.plus(Duration.ofMinutes(2)));
    assertThat(recorder.handled).hasSize(1);
  }

  @Test
  void manyShortEventsStartWhatOneLongEventWould() {
    SchedulerLoop loop = fixture.loop(scheduler().startsPerEvent(1).build()).start();
    loop.offer(submission("large", 4));
    for (int i = 0; i < 4; i++) {
      loop.offer(submission("small-" + i, 1));
    }
    time.settle();

    loop.offer(end("large"));
    time.settle();

    assertThat(recorder.handled).hasSize(5);
    assertThat(recorder.events().stream().map(ClusterEvent::at)).containsOnly(NOON);
  }

  @Test
  void aClockThatStepsBackDoesNotTakeEventsBack() {
    SchedulerLoop loop = fixture.started();
    loop.offer(submission("a", 1));
    time.settle();
    time.set(NOON.minusSeconds(60));

    loop.offer(submission("b", 1));
    time.settle();

    assertThat(recorder.events().stream().map(ClusterEvent::at)).containsOnly(NOON);
  }

  @Test
  void eventsWaitForTheHeartbeat() {
    SchedulerLoop loop = fixture.loop(scheduler().build()).heartbeat(Duration.ofSeconds(5)).start();
    time.pass(Duration.ofSeconds(7));
    loop.offer(submission("a", 4));
    loop.offer(submission("b", 4));
    time.pass(Duration.ofSeconds(2));
    assertThat(recorder.heard).isEmpty();

    loop.offer(end("a"));
    time.pass(Duration.ofSeconds(1));

    Instant beat = NOON.plusSeconds(10);
    assertThat(recorder.events())
        .containsExactly(
            submission("a", 4).apply(beat), submission("b", 4).apply(beat), end("a").apply(beat));
    assertThat(recorder.handled).hasSize(2);
    assertThat(time.set()).isEmpty();
  }

  @Test
  void wakeUpsWaitForTheHeartbeatToo() {
    SchedulerLoop loop = fixture.loop(scheduler().build()).heartbeat(Duration.ofSeconds(5)).start();
    loop.offer(submission("a", 1));
    Retry later = Retry.after(Duration.ofSeconds(7));
    loop.offer(now -> new ClusterEvent.JobFailed(now, JobId.of("a"), Failure.NOT_STARTED, later));
    time.pass(Duration.ofMinutes(1));

    assertThat(recorder.events().getLast().at()).isEqualTo(NOON.plusSeconds(10));
  }

  @Test
  void turnsAreMeasuredByTheStopwatch() {
    AtomicLong nanos = new AtomicLong();
    SchedulerLoop loop =
        fixture.loop(scheduler().build()).stopwatch(() -> nanos.getAndAdd(1_000_000)).start();
    loop.offer(submission("a", 1));
    time.settle();

    assertThat(recorder.times.getFirst().queued()).isEqualTo(Duration.ofMillis(1));
    assertThat(recorder.times.getFirst().deciding()).isEqualTo(Duration.ofMillis(1));
    assertThat(recorder.times.getFirst().total()).isEqualTo(Duration.ofMillis(3));
  }

  @Test
  void questionsAreAnsweredBetweenTurns() {
    SchedulerLoop loop = fixture.started();
    loop.offer(submission("a", 4));
    loop.offer(submission("b", 2));
    time.settle();

    CompletionStage<String> why = loop.ask(s -> s.explain(JobId.of("b")).toString());
    time.settle();

    assertThat(why.toCompletableFuture().join()).contains("b");
  }

  @Test
  void whoIsAskedTakesNoEvents() {
    SchedulerLoop loop = fixture.started();

    CompletionStage<List<Decision>> answer = loop.ask(s -> s.on(submission("a", 1).apply(NOON)));
    time.settle();

    assertThatThrownBy(() -> answer(answer))
        .hasCauseInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aLoopNeedsWhatItCannotBring() {
    assertThatThrownBy(() -> SchedulerLoop.builder(scheduler().build(), time).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a loop must have its handler set, but had none");
  }

  @Test
  void aHeartbeatTakesTime() {
    assertThatThrownBy(
            () -> SchedulerLoop.builder(scheduler().build(), time).heartbeat(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be positive, but was PT0S");
  }
}
