package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.RefusedEventException;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/** Events that are taken together are taken as a whole, in order, and decided about once. */
class BundleLaws {

  /**
   * With these a pass that decides nothing leaves something behind, or waiting jobs may start, or
   * running ones move, when only time has passed. Who is adopted on a node that has to be empty by
   * then leaves it, and who is adopted there later stays.
   */
  private static final Set<Feature> OF_TIMES_AND_PASSES =
      EnumSet.of(
          Feature.BACKFILL,
          Feature.ADVANCE,
          Feature.DEADLINES,
          Feature.WINDOW,
          Feature.PREFETCH,
          Feature.BOUNDS,
          Feature.FASTER,
          Feature.DECAY,
          Feature.ADOPT);

  private final Fuse fuse = new Fuse();

  @Provide
  Arbitrary<AnyWorld> worlds() {
    return AnyWorld.any();
  }

  @Provide
  Arbitrary<AnyWorld> steadyWorlds() {
    return AnyWorld.any()
        .map(
            world -> {
              AnyWorld left = world;
              for (Feature feature : OF_TIMES_AND_PASSES) {
                left = left.without(feature);
              }
              return left;
            });
  }

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), List.of(Policies.bestEffortFifo()), 20);
  }

  /** Also beside a scheduler of which parts fail at any call, and one that was restored. */
  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void aBundleIsTakenAsAWholeOrNotAtAll(
      @ForAll("worlds") AnyWorld world,
      @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 80) Integer> fuses) {
    LiquidScheduler sound = world.options(world.cluster(), new Fuse()).build();
    LiquidScheduler fused = world.options(world.cluster(), fuse).build();
    Playback playback = EventSequence.playback(sound);
    int turns = 0;
    for (ClusterEvent event : new Groups(world, sound, playback)) {
      SchedulerSnapshot before = sound.snapshot();
      fuse.arm(fuses.get(turns++ % fuses.size()));
      @Nullable Throwable failure = catchThrowable(() -> fused.on(event));
      fuse.disarm();
      Optional<List<Decision>> decisions = taken(playback, event);

      assertThat(failure == null || decisions.isEmpty() || failure instanceof PluginFailedException)
          .as("%s", failure)
          .isTrue();
      if (failure != null) {
        assertThat(SnapshotDifference.of(fused.snapshot(), before)).isEmpty();
      }
      if (decisions.isEmpty()) {
        assertThat(SnapshotDifference.of(sound.snapshot(), before)).isEmpty();
      } else if (failure != null) {
        assertThat(fused.on(event)).isEqualTo(decisions.get());
      }
      assertThat(SnapshotDifference.of(fused.snapshot(), sound.snapshot())).isEmpty();
    }
  }

  private static Optional<List<Decision>> taken(Playback playback, ClusterEvent event) {
    try {
      return Optional.of(playback.take(event).decisions());
    } catch (RefusedEventException e) {
      ClusterEvent refused = event.events().get(e.index());
      assertThat(e).hasMessageContaining(refused.toString());
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      assertThat(event).isNotInstanceOf(ClusterEvent.Bundle.class);
      return Optional.empty();
    }
  }

  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void aRestoredSchedulerDecidesTheSameAboutABundle(@ForAll("worlds") AnyWorld world) {
    LiquidScheduler scheduler = world.options(world.cluster(), fuse).build();
    Playback playback = EventSequence.playback(scheduler);
    for (ClusterEvent event : new Groups(world, scheduler, playback)) {
      LiquidScheduler restored =
          world.options(scheduler.view().topology(), fuse).restore(scheduler.snapshot());

      taken(playback, event)
          .ifPresent(decisions -> assertThat(restored.on(event)).isEqualTo(decisions));
    }
  }

  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void aBundleDecidesAsItsEventsOneByOneIfNothingIsDecidedBetween(
      @ForAll("steadyWorlds") AnyWorld world) {
    LiquidScheduler scheduler = world.options(world.cluster(), fuse).build();
    Playback playback = EventSequence.playback(scheduler);
    LiquidScheduler together = (LiquidScheduler) scheduler.copy();
    List<ClusterEvent> events = new ArrayList<>();
    for (int step = 0; step < world.steps().size(); step++) {
      Optional<ClusterEvent> event = new AnyEvents(world, scheduler, playback).of(step);
      if (event.isEmpty()) {
        continue;
      }
      boolean isAlone = isAlone(event.get());
      if (isAlone) {
        together = (LiquidScheduler) scheduler.copy();
        events.clear();
      }
      events.add(event.get());
      Optional<List<Decision>> decisions = taken(playback, event.get());
      if (decisions.isEmpty()) {
        events.removeLast();
      } else if (isAlone || !decisions.get().isEmpty() || events.size() == 5) {
        assertThat(together.on(events)).as("%s", events).isEqualTo(decisions.get());
        assertThat(together.waiting()).isEqualTo(scheduler.waiting());
        assertThat(together.view().runningJobs()).isEqualTo(scheduler.view().runningJobs());
        assertThat(together.nextWakeUp()).isEqualTo(scheduler.nextWakeUp());
        together = (LiquidScheduler) scheduler.copy();
        events.clear();
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void afterABundleNobodyWaitsWhoFits(@ForAll("sequences") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.immediate().scheduler();
    Playback playback = EventSequence.playback(scheduler);
    List<ClusterEvent> events = new ArrayList<>();
    for (ClusterStep step : sequence.steps()) {
      playback.event(step).filter(event -> !isAlone(event)).ifPresent(events::add);
      if (events.size() < 3 || taken(playback, ClusterEvent.together(events)).isEmpty()) {
        continue;
      }
      events.clear();
      for (var id : scheduler.waiting()) {
        JobSpec job = scheduler.job(id).orElseThrow();
        boolean isDelayed = scheduler.state().jobs().get(id).delayedUntil() != null;
        if (!isDelayed && job.sharing() instanceof Sharing.Exclusive) {
          assertThat(Placers.bestFit().place(scheduler.view(), job)).isEmpty();
        }
      }
    }
  }

  private static boolean isAlone(ClusterEvent event) {
    return event instanceof ClusterEvent.PlanProposed
        || event instanceof ClusterEvent.JobProgressed;
  }

  /** What happens in a world, two to five events at a time, which need not go together. */
  private static final class Groups implements Iterable<ClusterEvent> {
    private final AnyWorld world;
    private final LiquidScheduler scheduler;
    private final Playback playback;

    Groups(AnyWorld world, LiquidScheduler scheduler, Playback playback) {
      this.world = world;
      this.scheduler = scheduler;
      this.playback = playback;
    }

    @Override
    public java.util.Iterator<ClusterEvent> iterator() {
      return new java.util.Iterator<>() {
        private int step;
        private @Nullable ClusterEvent alone;
        private @Nullable ClusterEvent next;

        @Override
        public boolean hasNext() {
          next = next == null ? gather() : next;
          return next != null;
        }

        @Override
        public ClusterEvent next() {
          ClusterEvent event = next;
          next = null;
          return java.util.Objects.requireNonNull(event);
        }

        private @Nullable ClusterEvent gather() {
          if (alone != null) {
            ClusterEvent event = alone;
            alone = null;
            return event;
          }
          List<ClusterEvent> events = new ArrayList<>();
          int size = 2 + step % 4;
          while (step < world.steps().size() && events.size() < size && alone == null) {
            Optional<ClusterEvent> event = new AnyEvents(world, scheduler, playback).of(step++);
            if (event.filter(BundleLaws::isAlone).isPresent()) {
              alone = event.get();
            } else {
              event.ifPresent(events::add);
            }
          }
          return events.isEmpty() ? alone == null ? null : gather() : ClusterEvent.together(events);
        }
      };
    }
  }
}
