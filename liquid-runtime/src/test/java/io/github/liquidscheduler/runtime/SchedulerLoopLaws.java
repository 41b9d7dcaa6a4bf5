package io.github.liquidscheduler.runtime;

import static io.github.liquidscheduler.runtime.LoopFixture.scheduler;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Whoever comes first, the journal tells what was decided, and why nobody else could know. */
class SchedulerLoopLaws {

  /** What one of many threads does next: report something, or let the loop work or time pass. */
  enum Step {
    SUBMIT,
    REPORT,
    END,
    FAIL,
    CANCEL,
    SEVERAL,
    WORK,
    WAIT,
    CLOCK_STEPS_BACK
  }

  record Move(Step step, int job) {}

  @Property(tries = 300)
  void theJournalReplayedGivesTheDecisionsThatWereHandedOut(
      @ForAll("moves") List<Move> moves, @ForAll boolean beats, @ForAll boolean isShort) {
    Play play = new Play(beats, isShort);
    moves.forEach(play::make);
    List<CompletionStage<List<Decision>>> offers = play.end();

    LiquidScheduler again = play.builder().build();
    for (Recorder.Entry entry : play.recorder.journal) {
      assertThat(again.on(entry.event())).isEqualTo(entry.decisions());
    }
    assertThat(play.recorder.handled)
        .isEqualTo(play.recorder.journal.stream().flatMap(e -> e.decisions().stream()).toList());
    assertThat(play.recorder.events().stream().map(ClusterEvent::at)).isSorted();
    assertThat(offers).allMatch(offer -> offer.toCompletableFuture().isDone());
    assertThat(play.loop.queued()).isZero();
  }

  @Property(tries = 300)
  void nobodyActsOnWhatIsNotDurable(@ForAll("moves") List<Move> moves) {
    Play play = new Play(false, false);
    moves.forEach(play::make);
    play.end();

    boolean isDurable = true;
    for (String heard : play.recorder.heard) {
      if (heard.startsWith("handle") || heard.startsWith("decided")) {
        assertThat(isDurable).isTrue();
      }
      isDurable = !heard.startsWith("append") && (isDurable || heard.equals("commit"));
    }
  }

  @Property(tries = 300)
  void withoutHeartbeatsNobodyWaitsForTheClock(@ForAll("moves") List<Move> moves) {
    Play play = new Play(false, false);
    moves.forEach(play::make);
    play.fixture.time.settle();

    assertThat(play.offers).allMatch(offer -> offer.toCompletableFuture().isDone());
  }

  @Provide
  Arbitrary<List<Move>> moves() {
    Arbitrary<Step> steps =
        Arbitraries.frequency(
            Tuple.of(6, Step.SUBMIT),
            Tuple.of(4, Step.REPORT),
            Tuple.of(4, Step.END),
            Tuple.of(2, Step.FAIL),
            Tuple.of(1, Step.CANCEL),
            Tuple.of(2, Step.SEVERAL),
            Tuple.of(4, Step.WORK),
            Tuple.of(2, Step.WAIT),
            Tuple.of(1, Step.CLOCK_STEPS_BACK));
    return Combinators.combine(steps, Arbitraries.integers().between(0, 9))
        .as(Move::new)
        .list()
        .ofMaxSize(80);
  }

  /** One run of a loop. */
  private static final class Play {
    final LoopFixture fixture = new LoopFixture();
    final Recorder recorder = fixture.recorder;
    final List<CompletionStage<List<Decision>>> offers = new ArrayList<>();
    final boolean isShort;
    final SchedulerLoop loop;
    private int submitted;

    Play(boolean beats, boolean isShort) {
      this.isShort = isShort;
      SchedulerLoop.Builder builder = fixture.loop(builder().build());
      loop = (beats ? builder.heartbeat(Duration.ofSeconds(5)) : builder).start();
    }

    LiquidScheduler.Builder builder() {
      LiquidScheduler.Builder builder = scheduler().policy(Policies.leastAttainedService());
      return isShort ? builder.startsPerEvent(1) : builder;
    }

    void make(Move move) {
      switch (move.step()) {
        case WORK -> fixture.time.step();
        case WAIT -> fixture.time.pass(Duration.ofSeconds(1L << move.job()));
        case CLOCK_STEPS_BACK -> fixture.time.set(fixture.time.instant().minusSeconds(3));
        case SUBMIT -> {
          submitted++;
          offers.add(loop.offer(LoopFixture.submission("job-" + submitted, 1 + move.job() % 5)));
        }
        case SEVERAL -> {
          Function<Instant, ClusterEvent> end = event(new Move(Step.END, move.job()));
          Function<Instant, ClusterEvent> next = LoopFixture.submission("job-" + ++submitted, 2);
          offers.add(loop.offerAll(now -> List.of(end.apply(now), next.apply(now))));
        }
        default -> offers.add(loop.offer(event(move)));
      }
    }

    private Function<Instant, ClusterEvent> event(Move move) {
      JobId job = JobId.of("job-" + Math.max(1, submitted - move.job()));
      return switch (move.step()) {
        case REPORT -> LoopFixture.report(job.value(), move.job());
        case END -> LoopFixture.end(job.value());
        case CANCEL -> now -> new ClusterEvent.JobCancelled(now, job);
        default -> {
          Retry retry = Retry.after(Duration.ofSeconds(move.job()));
          yield now -> new ClusterEvent.JobFailed(now, job, Failure.NOT_STARTED, retry);
        }
      };
    }

    List<CompletionStage<List<Decision>>> end() {
      loop.shutdown();
      fixture.time.settle();
      return offers;
    }
  }
}
