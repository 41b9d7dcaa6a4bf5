package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/**
 * A scheduler that starts few jobs per event, or searches for victims of few, and is woken as it
 * asks to be, decides as one that has no bounds.
 */
class ShortEventLaws {

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), EventSequence.POLICIES)
        .map(EventSequence::immediate);
  }

  @Provide
  Arbitrary<EventSequence> sharingSequences() {
    return EventSequence.sequences(JobDraft.thatMayShare(), EventSequence.POLICIES)
        .map(EventSequence::immediate);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void shortEventsDecideAsLongOnes(
      @ForAll("sequences") EventSequence sequence,
      @ForAll @IntRange(min = 1, max = 3) int most,
      @ForAll @IntRange(min = 1, max = 3) int searches) {
    assertThat(play(sequence, sequence.options().startsPerEvent(most).searchesPerEvent(searches)))
        .isEqualTo(play(sequence, sequence.options()));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void alsoWhereJobsShare(@ForAll("sharingSequences") EventSequence sequence) {
    assertThat(play(sequence, sharing(sequence).startsPerEvent(1)))
        .isEqualTo(play(sequence, sharing(sequence)));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void alsoWhereReportsTeachWhoMayShare(@ForAll("sharingSequences") EventSequence sequence) {
    assertThat(play(sequence, learning(sequence).startsPerEvent(1)))
        .isEqualTo(play(sequence, learning(sequence)));
  }

  @Provide
  Arbitrary<EventSequence> elasticSequences() {
    return EventSequence.sequences(
            Arbitraries.oneOf(JobDraft.any(), JobDraft.inParts()), EventSequence.POLICIES)
        .map(EventSequence::immediate);
  }

  @Provide
  Arbitrary<EventSequence> promisedSequences() {
    return EventSequence.sequences(JobDraft.ofOneRole(), EventSequence.POLICIES)
        .map(EventSequence::immediate);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void alsoWhereSizesChange(
      @ForAll("elasticSequences") EventSequence sequence,
      @ForAll @IntRange(min = 1, max = 3) int most,
      @ForAll @IntRange(min = 1, max = 3) int searches) {
    assertThat(
            play(
                sequence,
                resizing(sequence.options()).startsPerEvent(most).searchesPerEvent(searches)))
        .isEqualTo(play(sequence, resizing(sequence.options())));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void alsoWhereJobsArePromisedShares(@ForAll("promisedSequences") EventSequence sequence) {
    assertThat(play(sequence, promising(sequence.options()).startsPerEvent(1).searchesPerEvent(1)))
        .isEqualTo(play(sequence, promising(sequence.options())));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void alsoWhereJobsMoveToFasterGpus(
      @ForAll("sequences") EventSequence sequence, @ForAll @IntRange(min = 1, max = 3) int most) {
    assertThat(play(sequence, rising(sequence.options()).startsPerEvent(most)))
        .isEqualTo(play(sequence, rising(sequence.options())));
  }

  @Tag("slow")
  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersGoOnWhereSizesChange(
      @ForAll("elasticSequences") EventSequence sequence) {
    goOn(sequence, options -> rising(resizing(options)).searchesPerEvent(1));
  }

  @Tag("slow")
  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersGoOnWhereJobsArePromisedShares(
      @ForAll("promisedSequences") EventSequence sequence) {
    goOn(sequence, options -> promising(options).searchesPerEvent(1));
  }

  private static LiquidScheduler.Builder resizing(LiquidScheduler.Builder options) {
    return options.elasticity(
        Elasticity.by(SizingPolicy.marginalGain())
            .coolDown(Duration.ofSeconds(5))
            .pendingLimit(1)
            .worthwhile(0)
            .cost(ResizeCost.NONE)
            .build());
  }

  private static LiquidScheduler.Builder promising(LiquidScheduler.Builder options) {
    return options.elasticity(
        Elasticity.by(SizingPolicy.marginalGain())
            .cost(ResizeCost.NONE)
            .worthwhile(0)
            .deadlines(LateJobs.WAIT)
            .build());
  }

  private static LiquidScheduler.Builder rising(LiquidScheduler.Builder options) {
    return options.performance(HeterogeneityLaws.MOVING);
  }

  /** Also where other events come before it is woken. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersGoOnWhereAnEventStopped(
      @ForAll("sequences") EventSequence sequence,
      @ForAll @IntRange(min = 1, max = 3) int searches) {
    goOn(sequence, options -> options.searchesPerEvent(searches));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void alsoWhereReportsHaveTaughtWhoMayShare(@ForAll("sharingSequences") EventSequence sequence) {
    goOn(
        sequence, options -> options.colocation(Colocation.of(new Trusting())).searchesPerEvent(1));
  }

  private static void goOn(EventSequence sequence, UnaryOperator<LiquidScheduler.Builder> sharing) {
    LiquidScheduler first = sharing.apply(sequence.options()).startsPerEvent(1).build();
    Playback playback = EventSequence.playback(first);

    for (ClusterStep step : sequence.steps()) {
      Scheduler copy = first.copy();
      LiquidScheduler.Builder alike = sequence.options(first.view().topology()).startsPerEvent(1);
      Scheduler restored = sharing.apply(alike).restore(first.snapshot());
      playback
          .play(step)
          .ifPresent(
              turn -> {
                assertThat(copy.on(turn.event())).isEqualTo(turn.decisions());
                assertThat(restored.on(turn.event())).isEqualTo(turn.decisions());
                requireAlike(copy, first);
                requireAlike(restored, first);
              });
    }
  }

  /** Requires equal states, but for the progress of retries on grown capacity. */
  static void requireAlike(Scheduler other, Scheduler first) {
    assertThat(SnapshotDifference.of(other.snapshot(), first.snapshot())).isEmpty();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyFittingJobIsTriedDespiteInterveningEvents(@ForAll("sequences") EventSequence sequence) {
    Placer placer = Placers.bestFit();

    assertThat(sequence.play(sequence.options().startsPerEvent(1).placer(placer)))
        .isEqualTo(
            sequence.play(
                sequence.options().startsPerEvent(1).placer(new TryingEverybody(placer))));
  }

  private static LiquidScheduler.Builder sharing(EventSequence sequence) {
    return sequence.options().colocation(Colocation.builder(new AnyCoRunner()).build());
  }

  private static LiquidScheduler.Builder learning(EventSequence sequence) {
    return sequence.options().colocation(Colocation.of(new Trusting()));
  }

  /** A predictor that expects the worst of fewer workloads with everything it observes. */
  private static final class Trusting implements InterferencePredictor {

    private record Observed(int times) implements PredictorState {
      @Override
      public List<LearnedState> save() {
        return List.of(new LearnedState("times", List.of("all"), List.of((double) times)));
      }
    }

    @Override
    public PredictorState restoreState(List<LearnedState> saved) {
      return saved.isEmpty()
          ? PredictorState.NONE
          : new Observed(saved.getFirst().numbers().getFirst().intValue());
    }

    @Override
    public Prediction retainedSpeed(ColocationQuery query) {
      return retainedSpeed(query, PredictorState.NONE);
    }

    @Override
    public Prediction retainedSpeed(ColocationQuery query, PredictorState state) {
      int trusted = times(state);
      boolean isTrusted =
          Stream.concat(Stream.of(query.victim()), query.coRunners().stream())
              .allMatch(load -> load.workload().family().hashCode() % 4 <= trusted);
      return Prediction.certain(isTrusted ? 1 : 0.1, Provenance.PRIOR);
    }

    @Override
    public PredictorState observe(PredictorState state, ColocationQuery query, double speed) {
      return new Observed(times(state) + 1);
    }

    private static int times(PredictorState state) {
      return state instanceof Observed observed ? observed.times() : 0;
    }
  }

  private static List<Playback.Turn> play(EventSequence sequence, LiquidScheduler.Builder options) {
    WokenAtOnce scheduler = new WokenAtOnce(options.build());
    return new Playback(scheduler, new StalePlans()).play(sequence.steps());
  }
}
