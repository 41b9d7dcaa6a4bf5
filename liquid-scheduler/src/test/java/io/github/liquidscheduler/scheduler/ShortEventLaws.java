package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * A scheduler that starts few jobs per event, and is woken as it asks to be, decides as one that
 * starts all of them.
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
      @ForAll("sequences") EventSequence sequence, @ForAll @IntRange(min = 1, max = 3) int most) {
    assertThat(play(sequence, sequence.options().startsPerEvent(most)))
        .isEqualTo(play(sequence, sequence.options()));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void alsoWhereJobsShare(@ForAll("sharingSequences") EventSequence sequence) {
    assertThat(play(sequence, sharing(sequence).startsPerEvent(1)))
        .isEqualTo(play(sequence, sharing(sequence)));
  }

  /** Also where other events come before it is woken. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersGoOnWhereAnEventStopped(
      @ForAll("sequences") EventSequence sequence) {
    LiquidScheduler first = sequence.options().startsPerEvent(1).build();
    Playback playback = EventSequence.playback(first);

    for (ClusterStep step : sequence.steps()) {
      Scheduler copy = first.copy();
      Scheduler restored =
          sequence.options(first.view().topology()).startsPerEvent(1).restore(first.snapshot());
      playback
          .play(step)
          .ifPresent(
              turn -> {
                assertThat(copy.on(turn.event())).isEqualTo(turn.decisions());
                assertThat(restored.on(turn.event())).isEqualTo(turn.decisions());
                assertThat(restored.snapshot()).isEqualTo(first.snapshot());
              });
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whoeverFitsIsTriedAlsoWhereOtherEventsComeBetween(
      @ForAll("sequences") EventSequence sequence) {
    Placer placer = Placers.bestFit();

    assertThat(sequence.play(sequence.options().startsPerEvent(1).placer(placer)))
        .isEqualTo(
            sequence.play(
                sequence.options().startsPerEvent(1).placer(new TryingEverybody(placer))));
  }

  private static LiquidScheduler.Builder sharing(EventSequence sequence) {
    return sequence.options().colocation(Colocation.builder(new AnyCoRunner()).build());
  }

  private static List<Playback.Turn> play(EventSequence sequence, LiquidScheduler.Builder options) {
    WokenAtOnce scheduler = new WokenAtOnce(options.build());
    return new Playback(scheduler, new StalePlans()).play(sequence.steps());
  }
}
