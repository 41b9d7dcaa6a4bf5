package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * A look ahead, or an event that fails, leaves no trace: the scheduler decides as a twin that never
 * saw it.
 */
class WhatIfLaws {

  private static final RunTimeScenario AN_HOUR = (job, worked) -> Optional.of(Duration.ofHours(1));

  private static final String SHARED = "shared GPUs";

  private final Fuse fuse = new Fuse();

  /**
   * A kind of scheduler, and what happens to it.
   *
   * @param events what happens
   * @param trees the tree of queues that comes before each step, if one does
   */
  record World(
      String name,
      EventSequence events,
      IntFunction<Optional<QueueTree>> trees,
      UnaryOperator<LiquidScheduler.Builder> features) {

    LiquidScheduler scheduler() {
      return features.apply(events.options()).build();
    }

    LiquidScheduler scheduler(Fuse fuse) {
      SchedulingPolicy policy = new Fuse.FusedPolicy(events.policy(), fuse);
      LiquidScheduler.Builder fused = features.apply(events.options()).policy(policy);
      boolean sharesGpus = name.equals(SHARED);
      return (sharesGpus ? fused : fused.placer(new Fuse.FusedPlacer(Placers.bestFit(), fuse)))
          .build();
    }

    void play(Playback playback, Consumer<ClusterEvent> each) {
      for (int step = 0; step < events.steps().size(); step++) {
        trees
            .apply(step)
            .map(tree -> new ClusterEvent.QueuesChanged(playback.now(), tree))
            .ifPresent(each);
        playback.event(events.steps().get(step)).ifPresent(each);
      }
    }

    @Override
    public String toString() {
      return name + ": " + events;
    }
  }

  @Provide
  Arbitrary<World> worlds() {
    return Arbitraries.oneOf(
        flat("plain", JobDraft.any(), EventSequence.POLICIES, options -> options),
        flat(
            "short events",
            JobDraft.any(),
            EventSequence.POLICIES,
            options -> options.startsPerEvent(1).searchesPerEvent(2)),
        flat(
            "backfill",
            JobDraft.any(),
            List.of(Policies.fifo()),
            options -> options.backfill(Backfill.easy())),
        flat(
            "sizes",
            JobDraft.any(),
            List.of(Policies.bestEffortFifo(), Policies.leastAttainedService()),
            options -> options.elasticity(elasticity())),
        flat(
            SHARED,
            JobDraft.thatMayShare(),
            List.of(Policies.bestEffortFifo(), Policies.priority()),
            options -> options.colocation(Colocation.builder(new AnyCoRunner()).build())),
        inTree("tree", options -> options),
        inTree("tree, short events", options -> options.startsPerEvent(1).searchesPerEvent(1)),
        inTree("tree, sizes", options -> options.elasticity(elasticity())));
  }

  private static Elasticity elasticity() {
    return Elasticity.by(SizingPolicy.marginalGain())
        .coolDown(Duration.ofSeconds(5))
        .worthwhile(0)
        .cost(ResizeCost.NONE)
        .build();
  }

  private static Arbitrary<World> flat(
      String name,
      Arbitrary<JobDraft> jobs,
      List<SchedulingPolicy> policies,
      UnaryOperator<LiquidScheduler.Builder> features) {
    boolean isPlain = name.equals("plain");
    return EventSequence.sequences(jobs, policies)
        .map(
            events ->
                new World(
                    name,
                    isPlain ? events : events.immediate(),
                    step -> Optional.empty(),
                    features));
  }

  private static Arbitrary<World> inTree(
      String name, UnaryOperator<LiquidScheduler.Builder> features) {
    return QueueRetryLaws.deep()
        .map(sequence -> new World(name, sequence.events(), sequence::treeBefore, features));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aLookAheadLeavesNoTrace(
      @ForAll("worlds") World world, @ForAll @IntRange(max = 3) int turnsAhead) {
    LiquidScheduler asked = world.scheduler();
    LiquidScheduler twin = world.scheduler();
    Playback playback = EventSequence.playback(twin);

    world.play(
        playback,
        event -> {
          SchedulerSnapshot before = asked.snapshot();
          asked.whatIf(List.of(), turnsAhead);
          asked.whatIf(List.of(event), turnsAhead);
          firstOf(asked).ifPresent(job -> asked.startIf(job, AN_HOUR, turnsAhead));
          assertThat(asked.snapshot()).isEqualTo(before);
          assertThat(asked.nextWakeUp()).isEqualTo(twin.nextWakeUp());

          List<Decision> decisions = playback.take(event).decisions();

          assertThat(asked.on(event)).as("after %s", event).isEqualTo(decisions);
          assertThat(asked.waiting()).isEqualTo(twin.waiting());
          assertThat(asked.view().runningJobs()).isEqualTo(twin.view().runningJobs());
        });
    assertThat(asked.snapshot()).isEqualTo(twin.snapshot());
  }

  private static Optional<JobId> firstOf(LiquidScheduler scheduler) {
    return scheduler.waiting().stream().findFirst();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void anEventThatFailsLeavesNoTrace(
      @ForAll("worlds") World world,
      @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 40) Integer> fuses) {
    LiquidScheduler fused = world.scheduler(fuse);
    LiquidScheduler twin = world.scheduler(new Fuse());
    Playback playback = EventSequence.playback(twin);
    int[] events = {0};

    world.play(
        playback,
        event -> {
          SchedulerSnapshot before = fused.snapshot();
          List<JobId> waiting = fused.waiting();
          fuse.arm(fuses.get(events[0]++ % fuses.size()));
          Optional<List<Decision>> taken = tried(fused, event);
          fuse.disarm();
          if (taken.isEmpty()) {
            assertThat(fused.snapshot()).isEqualTo(before);
            assertThat(fused.waiting()).isEqualTo(waiting);
          }

          List<Decision> decisions = playback.take(event).decisions();

          assertThat(taken.orElseGet(() -> fused.on(event)))
              .as("after %s", event)
              .isEqualTo(decisions);
          assertThat(fused.waiting()).isEqualTo(twin.waiting());
          assertThat(fused.nextWakeUp()).isEqualTo(twin.nextWakeUp());
          assertThat(fused.snapshot()).isEqualTo(twin.snapshot());
        });
  }

  /** Returns the decisions; empty if the fuse has blown. */
  private static Optional<List<Decision>> tried(LiquidScheduler fused, ClusterEvent event) {
    try {
      return Optional.of(fused.on(event));
    } catch (PluginFailedException | ArithmeticException blown) {
      return Optional.empty();
    }
  }
}
