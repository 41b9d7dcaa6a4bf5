package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * Nobody is stopped, shrunk or moved for another at the instant at which it started, grew or moved,
 * however many events come at that instant, by books kept from decisions alone.
 */
class SparedJobsLaws {

  /**
   * What happens, and options beyond those of its events.
   *
   * @param starts the most starts in one event
   * @param elasticity how sizes change, if they do
   * @param risesToFasterGpus whether jobs move to faster GPUs
   */
  private record World(
      EventSequence events,
      List<QueueLaws.Sequence> queues,
      Reclaiming reclaiming,
      int starts,
      Optional<Elasticity> elasticity,
      boolean risesToFasterGpus) {

    LiquidScheduler.Builder options(LiquidScheduler scheduler) {
      return options(events.options(scheduler.view().topology()));
    }

    LiquidScheduler.Builder options(LiquidScheduler.Builder options) {
      elasticity.ifPresent(options::elasticity);
      if (risesToFasterGpus) {
        options.performance(HeterogeneityLaws.MOVING);
      }
      return options.startsPerEvent(starts).searchesPerEvent(starts);
    }

    private QueueTree under(QueueTree tree) {
      return tree.decayedUsage().isPresent() ? tree : tree.with(reclaiming);
    }

    Optional<ClusterEvent> treeBefore(int step, Instant now) {
      return queues.stream()
          .flatMap(sequence -> sequence.treeBefore(step).stream())
          .map(tree -> (ClusterEvent) new ClusterEvent.QueuesChanged(now, under(tree)))
          .findFirst();
    }
  }

  @Provide
  Arbitrary<World> worlds() {
    return EventSequence.sequences(
            Arbitraries.oneOf(JobDraft.any(), JobDraft.inParts()), EventSequence.POLICIES)
        .flatMap(events -> worlds(events.immediate(), List.of()));
  }

  @Provide
  Arbitrary<World> worldsOfQueues() {
    return Arbitraries.oneOf(
            QueueRetryLaws.deep(),
            QueueLaws.sequences(Arbitraries.oneOf(JobDraft.any(), JobDraft.inParts())))
        .flatMap(sequence -> worlds(sequence.events(), List.of(sequence)));
  }

  private static Arbitrary<World> worlds(EventSequence events, List<QueueLaws.Sequence> queues) {
    return Combinators.combine(
            Arbitraries.of(0, 2, 5),
            Arbitraries.of(Reclaiming.class),
            Arbitraries.of(1, 2, 1000),
            elasticity(),
            Arbitraries.of(true, false))
        .as(
            (moves, reclaiming, starts, elasticity, rises) ->
                new World(
                    QueueLaws.moving(events, moves),
                    queues,
                    reclaiming,
                    starts,
                    elasticity,
                    rises));
  }

  private static Arbitrary<Optional<Elasticity>> elasticity() {
    return Combinators.combine(Arbitraries.of(true, true, false), Arbitraries.of(1, 1, 5))
        .as(
            (changes, coolDown) ->
                changes
                    ? Optional.of(
                        Elasticity.by(SizingPolicy.marginalGain())
                            .coolDown(Duration.ofMillis(coolDown))
                            .pendingLimit(1)
                            .worthwhile(0)
                            .preemptToGrow()
                            .cost(ResizeCost.NONE)
                            .build())
                    : Optional.empty());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whoIsGivenGpusGivesNothingAtThatInstant(@ForAll("worlds") World world) {
    play(world);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whoIsGivenGpusGivesNothingAtThatInstantInQueues(@ForAll("worldsOfQueues") World world) {
    play(world);
  }

  /** Also where it is woken at that instant, and restored in between. */
  private static void play(World world) {
    Books books = new Books();
    LiquidScheduler scheduler = world.options(world.events().options()).build();
    Playback playback = EventSequence.playback(scheduler);
    for (int step = 0; step < world.events().steps().size(); step++) {
      List<ClusterEvent> events = new ArrayList<>();
      world.treeBefore(step, playback.now()).ifPresent(events::add);
      for (ClusterEvent event : events) {
        books.enter(event.at(), playback.take(event).decisions());
      }
      Optional<ClusterEvent> event = playback.event(world.events().steps().get(step));
      if (event.isPresent()) {
        books.enter(event.get().at(), playback.take(event.get()).decisions());
      }
      Instant now = playback.now();
      for (int more = 0; more < step % 4; more++) {
        books.enter(now, playback.take(new ClusterEvent.TimePassed(now)).decisions());
      }
      if (step % 3 == 1) {
        scheduler = world.options(scheduler).restore(scheduler.snapshot());
        playback = playback.goingOnWith(scheduler);
      }
    }
    Statistics.label("given way").collect(books.gaveWay == 0 ? "never" : "sometimes");
  }

  /** Who was given GPUs when. */
  private static final class Books {

    private final Map<JobId, Instant> given = new HashMap<>();
    private final Map<JobId, Integer> sizes = new HashMap<>();
    private int gaveWay;

    void enter(Instant now, List<Decision> decisions) {
      for (Decision decision : decisions) {
        if (isForAnother(decision)) {
          gaveWay++;
          assertThat(given.get(job(decision)))
              .as("when %s was given GPUs, of all of which: %s", job(decision), decisions)
              .isNotEqualTo(now);
        }
        placement(decision).ifPresent(place -> place(place, decision, now));
      }
    }

    private void place(Placement placement, Decision decision, Instant now) {
      int tasks = placement.tasks().size();
      boolean grows = tasks > sizes.getOrDefault(placement.job(), 0);
      sizes.put(placement.job(), tasks);
      if (grows || !(decision instanceof Decision.Resize)) {
        given.put(placement.job(), now);
      }
    }

    private static Optional<Placement> placement(Decision decision) {
      return switch (decision) {
        case Decision.Start start -> Optional.of(start.placement());
        case Decision.Migrate move -> Optional.of(move.placement());
        case Decision.Resize resize -> Optional.of(resize.placement());
        default -> Optional.empty();
      };
    }

    private static boolean isForAnother(Decision decision) {
      return switch (decision) {
        case Decision.Preempt stop ->
            stop.why() instanceof Reason.PreemptedByPriority
                || stop.why() instanceof Reason.Reclaimed
                || stop.why() instanceof Reason.MadeWay;
        case Decision.Migrate move -> move.why() instanceof Reason.MadeWay;
        case Decision.Resize resize -> resize.why() instanceof Reason.MadeSmaller;
        default -> false;
      };
    }

    private static JobId job(Decision decision) {
      return switch (decision) {
        case Decision.Preempt stop -> stop.job();
        case Decision.Migrate move -> move.job();
        case Decision.Resize resize -> resize.job();
        default -> throw new AssertionError("nobody gives way by " + decision);
      };
    }
  }
}
