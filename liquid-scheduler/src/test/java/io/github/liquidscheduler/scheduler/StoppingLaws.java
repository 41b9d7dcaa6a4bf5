package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import io.github.liquidscheduler.testkit.PresenceLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Pre-empted jobs stop in time, and nobody begins on what they hold before, checked against books
 * of who is there, kept from events and decisions alone.
 */
class StoppingLaws {

  private static final List<PreemptionRules> RULES =
      List.of(
          PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(7)),
          PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(60)),
          PreemptionRules.NONE
              .gracePeriod(Duration.ofSeconds(30))
              .minRunTime(Duration.ofSeconds(10)));

  private final Map<JobId, Instant> since = new HashMap<>();
  private final Map<JobId, Integer> preemptions = new HashMap<>();

  /** What happens to queues, which may be none, and to jobs, which may change their sizes. */
  private record World(
      EventSequence events, List<QueueTree> trees, Optional<Elasticity> elasticity) {

    LiquidScheduler.Builder options(ClusterTopology cluster) {
      LiquidScheduler.Builder options = events.options(cluster);
      return elasticity.map(options::elasticity).orElse(options);
    }

    boolean isPossible() {
      return events.window().isEmpty() || elasticity.filter(Elasticity::startsSmall).isEmpty();
    }

    Optional<ClusterEvent> treeBefore(int step, Instant now) {
      return trees.isEmpty() || step % 25 != 0
          ? Optional.empty()
          : Optional.of(new ClusterEvent.QueuesChanged(now, trees.get(step / 25 % trees.size())));
    }
  }

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), EventSequence.POLICIES)
        .map(sequence -> with(sequence.rules().minRunTime(Duration.ofSeconds(40)), sequence));
  }

  @Provide
  Arbitrary<World> worlds() {
    return Combinators.combine(
            EventSequence.sequences(
                Arbitraries.oneOf(JobDraft.any(), JobDraft.inParts()), EventSequence.POLICIES),
            Arbitraries.of(RULES),
            elasticity())
        .as((events, rules, elasticity) -> new World(with(rules, events), List.of(), elasticity))
        .filter(World::isPossible);
  }

  @Provide
  Arbitrary<World> worldsOfQueues() {
    return Combinators.combine(
            Arbitraries.oneOf(
                QueueLaws.sequences(Arbitraries.oneOf(JobDraft.any(), JobDraft.inParts())),
                QueueLaws.sequencesByModel(Arbitraries.oneOf(JobDraft.any(), JobDraft.inParts()))),
            Arbitraries.of(RULES),
            elasticity(),
            Arbitraries.of(Reclaiming.class))
        .as(
            (sequence, rules, elasticity, reclaiming) -> {
              EventSequence events = sequence.events();
              int moves = events.rules().mostMoves();
              return new World(
                  with(rules.moving(moves), events),
                  sequence.trees().stream().map(tree -> tree.with(reclaiming)).toList(),
                  elasticity);
            });
  }

  /** Jobs that must not be pre-empted are promised shares, too. */
  @Provide
  Arbitrary<World> worldsOfPromises() {
    return Combinators.combine(
            EventSequence.sequences(JobDraft.ofOneRole(), EventSequence.POLICIES),
            Arbitraries.of(RULES))
        .as(
            (events, rules) ->
                new World(
                    with(rules, events),
                    List.of(),
                    Optional.of(
                        Elasticity.by(SizingPolicy.marginalGain())
                            .cost(ResizeCost.NONE)
                            .worthwhile(0)
                            .deadlines(LateJobs.WAIT)
                            .build())));
  }

  private static Arbitrary<Optional<Elasticity>> elasticity() {
    return Combinators.combine(
            Arbitraries.of(true, true, false),
            Arbitraries.of(1, 5, 30),
            Arbitraries.of(0, 3),
            Arbitraries.of(true, false))
        .as(
            (changes, coolDown, limit, startsSmall) ->
                changes ? Optional.of(elasticity(coolDown, limit, startsSmall)) : Optional.empty());
  }

  private static Elasticity elasticity(int coolDown, int limit, boolean startsSmall) {
    Elasticity.Builder elasticity =
        Elasticity.by(SizingPolicy.marginalGain())
            .coolDown(Duration.ofSeconds(coolDown))
            .pendingLimit(limit)
            .worthwhile(0)
            .cost(ResizeCost.NONE);
    return (startsSmall ? elasticity.startSmall() : elasticity).build();
  }

  private static EventSequence with(PreemptionRules rules, EventSequence sequence) {
    return new EventSequence(
        sequence.cluster(), sequence.policy(), rules, sequence.window(), sequence.steps());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nobodyUsesWhatAnotherStillHolds(@ForAll("worlds") World world) {
    play(world);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nobodyUsesWhatAnotherStillHoldsWhereQueuesTakeBack(@ForAll("worldsOfQueues") World world) {
    play(world);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nobodyUsesWhatAnotherStillHoldsWhereJobsArePromisedShares(
      @ForAll("worldsOfPromises") World world) {
    play(world);
  }

  /** Goes on with a copy or a restored scheduler once in a while. */
  private static void play(World world) {
    PresenceLedger books = new PresenceLedger();
    Scheduler scheduler = world.options(world.events().cluster()).build();
    Playback playback = new Playback(scheduler, new StalePlans());
    for (int step = 0; step < world.events().steps().size(); step++) {
      if (step % 7 == 3) {
        scheduler =
            step % 2 == 0
                ? scheduler.copy()
                : world.options(scheduler.view().topology()).restore(scheduler.snapshot());
        playback = playback.goingOnWith(scheduler);
      }
      List<ClusterEvent> events = new ArrayList<>();
      world.treeBefore(step, playback.now()).ifPresent(events::add);
      for (ClusterEvent event : events) {
        books.enter(event, playback.take(event).decisions(), scheduler);
      }
      Optional<ClusterEvent> event = playback.event(world.events().steps().get(step));
      if (event.isPresent()) {
        books.enter(event.get(), playback.take(event.get()).decisions(), scheduler);
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void jobsArePreemptedWithTheirGracePeriodAndNotTooOftenOrTooSoon(
      @ForAll("sequences") EventSequence sequence) {
    since.clear();
    preemptions.clear();
    LiquidScheduler scheduler = sequence.scheduler();
    Playback playback = EventSequence.playback(scheduler);

    for (ClusterStep step : sequence.steps()) {
      Set<JobId> starting = starting(scheduler);
      for (Playback.Turn turn : playback.play(step).stream().toList()) {
        for (Decision decision : turn.decisions()) {
          if (decision instanceof Decision.Start start) {
            since.put(start.job(), turn.event().at());
          } else if (decision instanceof Decision.Preempt preempt
              && !starting.contains(preempt.job())) {
            preempt(preempt, sequence, turn.event().at());
          }
        }
      }
    }
  }

  /** Returns the jobs whose starts still wait for others. */
  private static Set<JobId> starting(LiquidScheduler scheduler) {
    Set<JobId> starting = new HashSet<>();
    for (JobId job : scheduler.view().runningJobs()) {
      if (scheduler.status(job).orElseThrow() instanceof JobStatus.Starting) {
        starting.add(job);
      }
    }
    return starting;
  }

  private void preempt(Decision.Preempt preempt, EventSequence sequence, Instant now) {
    int times = preemptions.merge(preempt.job(), 1, Integer::sum);
    if (preempt.why() instanceof Reason.PreemptedByPriority) {
      Duration run = Duration.between(Objects.requireNonNull(since.get(preempt.job())), now);
      assertThat(run).isGreaterThanOrEqualTo(sequence.rules().minRunTime());
      assertThat(times).isLessThanOrEqualTo(sequence.rules().mostPreemptions());
    }
    boolean atOnce =
        preempt.why() instanceof Reason.NodeGone || preempt.why() instanceof Reason.GpuGone;
    Instant end = now.plus(sequence.rules().gracePeriod());
    assertThat(preempt.until().isPresent()).isEqualTo(!atOnce && end.isAfter(now));
    preempt.until().ifPresent(until -> assertThat(until).isEqualTo(end));
  }
}
