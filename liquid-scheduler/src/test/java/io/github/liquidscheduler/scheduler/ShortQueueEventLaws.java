package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** As {@link ShortEventLaws}, where jobs stand in a tree of queues of any form. */
class ShortQueueEventLaws {

  @Provide
  Arbitrary<QueueLaws.Sequence> deepSequences() {
    return Arbitraries.oneOf(QueueRetryLaws.deep(), withLimitsOnly(), LendingLaws.lending());
  }

  /** Returns sequences on trees in which only jobs of one queue stop each other. */
  private static Arbitrary<QueueLaws.Sequence> withLimitsOnly() {
    return QueueRetryLaws.deep()
        .map(
            sequence ->
                new QueueLaws.Sequence(
                    sequence.events(),
                    sequence.trees().stream().map(tree -> tree.with(Reclaiming.NEVER)).toList()));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void shortEventsDecideAsLongOnes(
      @ForAll("deepSequences") QueueLaws.Sequence sequence,
      @ForAll @IntRange(min = 1, max = 3) int starts,
      @ForAll @IntRange(min = 1, max = 3) int searches) {
    LiquidScheduler few = bounded(sequence, starts, searches).build();
    Scheduler all = new WokenAtOnce(sequence.scheduler());
    QueueLaws.play(
        sequence,
        few,
        event -> {
          List<Decision> decisions = new WokenAtOnce(few).on(event);

          assertThat(decisions).as("after %s", event).isEqualTo(all.on(event));
        });
  }

  @Provide
  Arbitrary<QueueLaws.Sequence> elasticSequences() {
    return Arbitraries.oneOf(
            QueueRetryLaws.deep(),
            LendingLaws.lending(),
            QueueLaws.sequences(Arbitraries.oneOf(JobDraft.any(), JobDraft.inParts())))
        .map(
            sequence ->
                new QueueLaws.Sequence(QueueLaws.moving(sequence.events(), 2), sequence.trees()));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void alsoWhereSizesChangeAndJobsMove(
      @ForAll("elasticSequences") QueueLaws.Sequence sequence,
      @ForAll @IntRange(min = 1, max = 3) int starts,
      @ForAll @IntRange(min = 1, max = 3) int searches,
      @ForAll boolean rises) {
    LiquidScheduler few =
        changing(bounded(sequence.events().options(), starts, searches), rises).build();
    Scheduler all = new WokenAtOnce(changing(sequence.events().options(), rises).build());
    Playback playback = new Playback(new WokenAtOnce(few), new StalePlans());
    play(
        sequence,
        playback,
        event ->
            assertThat(playback.take(event).decisions())
                .as("after %s", event)
                .isEqualTo(all.on(event)));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aRestoredSchedulerGoesOnWhereSizesChangeAndJobsMove(
      @ForAll("elasticSequences") QueueLaws.Sequence sequence, @ForAll boolean rises) {
    LiquidScheduler first = changing(bounded(sequence.events().options(), 1, 1), rises).build();
    Playback playback = EventSequence.playback(first);
    play(
        sequence,
        playback,
        event -> {
          LiquidScheduler.Builder options = sequence.events().options(first.view().topology());
          Scheduler restored = changing(bounded(options, 1, 1), rises).restore(first.snapshot());
          Scheduler copy = first.copy();

          List<Decision> decisions = playback.take(event).decisions();

          assertThat(restored.on(event)).as("restored, after %s", event).isEqualTo(decisions);
          assertThat(copy.on(event)).as("copy, after %s", event).isEqualTo(decisions);
          assertThat(restored.nextWakeUp()).isEqualTo(first.nextWakeUp());
        });
  }

  private static void play(
      QueueLaws.Sequence sequence, Playback playback, Consumer<ClusterEvent> taken) {
    for (int step = 0; step < sequence.events().steps().size(); step++) {
      sequence
          .treeBefore(step)
          .ifPresent(tree -> taken.accept(new ClusterEvent.QueuesChanged(playback.now(), tree)));
      playback.event(sequence.events().steps().get(step)).ifPresent(taken);
    }
  }

  private static LiquidScheduler.Builder changing(LiquidScheduler.Builder options, boolean rises) {
    options.elasticity(
        Elasticity.by(SizingPolicy.marginalGain())
            .coolDown(Duration.ofSeconds(5))
            .worthwhile(0)
            .preemptToGrow()
            .cost(ResizeCost.NONE)
            .build());
    return rises ? options.performance(HeterogeneityLaws.MOVING) : options;
  }

  /** Also where other events come before it is woken. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersGoOnWhereAnEventStopped(
      @ForAll("deepSequences") QueueLaws.Sequence sequence,
      @ForAll @IntRange(min = 1, max = 3) int searches) {
    LiquidScheduler first = bounded(sequence, 1, searches).build();
    QueueLaws.play(
        sequence,
        first,
        event -> {
          Scheduler copy = first.copy().copy();
          ClusterTopology cluster = first.view().topology();
          Scheduler restored =
              bounded(sequence.events().options(cluster), 1, searches).restore(first.snapshot());

          List<Decision> decisions = first.on(event);

          assertThat(copy.on(event)).as("copy after %s", event).isEqualTo(decisions);
          assertThat(restored.on(event)).as("restored, after %s", event).isEqualTo(decisions);
          assertThat(sectionsOf(copy)).isEqualTo(sectionsOf(first));
          assertThat(sectionsOf(restored)).isEqualTo(sectionsOf(first));
          assertThat(copy.nextWakeUp()).isEqualTo(first.nextWakeUp());
          assertThat(restored.nextWakeUp()).isEqualTo(first.nextWakeUp());
        });
  }

  /** Returns a snapshot without the memory of failed tries: a scheduler without it tries more. */
  static String sectionsOf(Scheduler scheduler) {
    return scheduler.snapshot().sections().entrySet().stream()
        .filter(section -> !section.getKey().equals("cluster"))
        .toList()
        .toString();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyFittingJobIsTriedDespiteInterveningEvents(
      @ForAll("deepSequences") QueueLaws.Sequence sequence) {
    LiquidScheduler first = sequence.events().options().startsPerEvent(1).build();
    LiquidScheduler asksAll =
        sequence
            .events()
            .options()
            .startsPerEvent(1)
            .placer(new Uncounted(Placers.bestFit()))
            .build();
    QueueLaws.play(
        sequence,
        first,
        event -> {
          List<Decision> decisions = first.on(event);

          assertThat(decisions).as("after %s", event).isEqualTo(asksAll.on(event));
        });
  }

  private static LiquidScheduler.Builder bounded(
      QueueLaws.Sequence sequence, int starts, int searches) {
    return bounded(sequence.events().options(), starts, searches);
  }

  private static LiquidScheduler.Builder bounded(
      LiquidScheduler.Builder options, int starts, int searches) {
    return options.startsPerEvent(starts).searchesPerEvent(searches);
  }
}
