package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import io.github.liquidscheduler.testkit.PresenceLedger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * Whoever decides something, it takes only what nobody still holds, or waits for those who do: no
 * GPU, core or byte has more on it than it has, at any instant of a grace period or a resize.
 */
class HeldCapacityLaws {

  private static final List<SchedulingPolicy> PREEMPTING =
      List.of(
          Policies.priority(),
          Policies.shortestRemainingTimeFirst(),
          Policies.leastAttainedService(List.of(Duration.ofSeconds(90), Duration.ofSeconds(400))),
          new BlockingPriority());

  private static final PreemptionRules GRACE =
      PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(20));

  private static final QueueTree QUEUES =
      QueueTree.of(
          QueueSpec.named("lab").with(QuotaResource.GPUS, QueueQuota.guaranteed(8).withLimit(12)),
          QueueSpec.named("default")
              .in("lab")
              .with(QuotaResource.GPUS, QueueQuota.guaranteed(4).withLimit(10)),
          QueueSpec.named("research").in("lab").withGpus(4));

  /** A set of features that change running jobs. */
  private enum World {
    MAKING_WAY,
    FASTER_GPUS,
    SHARING,
    SIZES,
    QUEUES_AND_SIZES,
    BACKFILL,
    BACKFILL_AND_SIZES,
    BACKFILL_IN_QUEUES,
    BACKFILL_AND_SHARING,
    OWN_PLACER;

    LiquidScheduler.Builder options(ClusterTopology cluster, SchedulingPolicy policy) {
      LiquidScheduler.Builder options =
          LiquidScheduler.builder(cluster).policy(policy).preemption(GRACE);
      return switch (this) {
        case MAKING_WAY -> options.preemption(GRACE.moving(3));
        case FASTER_GPUS ->
            options.preemption(GRACE.moving(3)).performance(HeterogeneityLaws.MOVING);
        case SHARING ->
            options.colocation(
                Colocation.builder(new AnyCoRunner())
                    .trigger(SharingTrigger.aboveUtilization(0.6))
                    .build());
        case SIZES -> options.preemption(GRACE.moving(3)).elasticity(sizes());
        case QUEUES_AND_SIZES -> options.preemption(GRACE.moving(3)).elasticity(sizes());
        case BACKFILL -> options.preemption(GRACE.moving(3)).backfill(Backfill.reserving(2));
        case BACKFILL_AND_SIZES, BACKFILL_IN_QUEUES ->
            options.preemption(GRACE.moving(3)).elasticity(sizes()).backfill(Backfill.reserving(2));
        case BACKFILL_AND_SHARING ->
            SHARING.options(cluster, policy).backfill(Backfill.reserving(2));
        case OWN_PLACER ->
            options
                .preemption(GRACE.moving(3))
                .performance(HeterogeneityLaws.MOVING)
                .placer(new PlainPlacer());
      };
    }

    private static Elasticity sizes() {
      return Elasticity.by(SizingPolicy.marginalGain())
          .coolDown(Duration.ofSeconds(5))
          .worthwhile(0)
          .preemptToGrow()
          .build();
    }
  }

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(
        Arbitraries.oneOf(JobDraft.any(), JobDraft.ofOneRole(), JobDraft.thatMayShare()),
        PREEMPTING);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nothingIsTakenThatSomebodyStillHolds(
      @ForAll World world, @ForAll("sequences") EventSequence sequence) {
    LiquidScheduler scheduler = world.options(sequence.cluster(), sequence.policy()).build();
    Playback playback = EventSequence.playback(scheduler);
    PresenceLedger books = new PresenceLedger();
    if (world == World.QUEUES_AND_SIZES || world == World.BACKFILL_IN_QUEUES) {
      ClusterEvent queues = new ClusterEvent.QueuesChanged(playback.now(), QUEUES);
      books.enter(queues, scheduler.on(queues), scheduler);
    }
    int waits = 0;

    for (ClusterStep step : sequence.steps()) {
      Optional<ClusterEvent> event = event(step, scheduler, playback);
      if (event.isPresent()) {
        List<Decision> decisions = playback.take(event.get()).decisions();
        books.enter(event.get(), decisions, scheduler);
        waits += (int) decisions.stream().filter(HeldCapacityLaws::waits).count();
      }
    }
    Statistics.label(world + " waits").collect(waits > 0);
  }

  private static Optional<ClusterEvent> event(
      ClusterStep step, LiquidScheduler scheduler, Playback playback) {
    return switch (step.kind()) {
      case PLAN -> Optional.of(ProposedMoves.of(scheduler.view(), step.pick(), playback.now()));
      // What is lost under jobs that are leaving is a matter of StoppingLaws.
      case LOSE_NODE, LOSE_GPU -> Optional.empty();
      default -> playback.event(step);
    };
  }

  private static boolean waits(Decision decision) {
    return switch (decision) {
      case Decision.Start start -> !start.after().isEmpty();
      case Decision.Resize resize -> !resize.after().isEmpty();
      case Decision.Migrate move -> !move.after().isEmpty();
      default -> false;
    };
  }
}
