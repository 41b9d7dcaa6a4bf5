package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.JobDraft;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * A scheduler that retries a waiting job only where an event freed capacity for it decides like one
 * that retries all of them whenever anything was freed.
 */
class RetryLaws {

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), EventSequence.POLICIES);
  }

  @Provide
  Arbitrary<EventSequence> sharingSequences() {
    return EventSequence.sequences(JobDraft.thatMayShare(), EventSequence.POLICIES);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void bestFitStartsEveryJobThatAFullRetryWould(@ForAll("sequences") EventSequence sequence) {
    Placer placer = Placers.bestFit();

    assertThat(sequence.play(sequence.options().placer(placer)))
        .isEqualTo(sequence.play(sequence.options().placer(new TryingEverybody(placer))));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void leastCostStartsEveryJobThatAFullRetryWould(@ForAll("sequences") EventSequence sequence) {
    Placer placer = Placers.leastCost();

    assertThat(sequence.play(sequence.options().placer(placer)))
        .isEqualTo(sequence.play(sequence.options().placer(new TryingEverybody(placer))));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void jobsThatShareStartAsTheyWould(@ForAll("sharingSequences") EventSequence sequence) {
    Placer placer = Placers.bestFit();

    assertThat(sequence.play(sequence.options().colocation(sharing(placer))))
        .isEqualTo(
            sequence.play(sequence.options().colocation(sharing(new TryingEverybody(placer)))));
  }

  private static Colocation sharing(Placer base) {
    return Colocation.builder(new AnyCoRunner())
        .base(base)
        .trigger(SharingTrigger.aboveUtilization(0.6))
        .build();
  }
}
