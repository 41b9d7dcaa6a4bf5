package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterProperty;

/**
 * Any set of features on one cluster: no GPU, core or byte has more on it than it has, copies and
 * restored schedulers decide alike, and asking changes nothing.
 */
class AnyFeaturesLaws {

  private static final QueueTree LENDING =
      QueueTree.of(
          QueueSpec.named("default").withGpus(1),
          QueueSpec.named("research").withGpus(4),
          QueueSpec.named("spare").withGpus(1));

  /** How often a feature acted while another was on. */
  private final Map<Feature, Map<Feature, Integer>> acted = new EnumMap<>(Feature.class);

  private int tries;

  /**
   * A cluster, features and what happens.
   *
   * @param variant chooses between the forms of each feature
   */
  record World(QueueLaws.Sequence sequence, Set<Feature> features, int variant) {

    LiquidScheduler.Builder options(ClusterTopology cluster) {
      return Feature.options(sequence.events().options(cluster), features, variant);
    }

    boolean has(Feature feature) {
      return features.contains(feature);
    }

    /** Returns the tree that comes before a step, in half of the worlds one that lends much. */
    Optional<QueueTree> treeBefore(int step) {
      Optional<QueueTree> drawn = has(Feature.TREE) ? sequence.treeBefore(step) : Optional.empty();
      return drawn
          .map(tree -> variant < 30 ? LENDING : tree)
          .map(tree -> tree.with(Feature.pick(variant, Reclaiming.values())));
    }

    /**
     * Returns a copy and a restored scheduler. Where searches for victims in queues are bounded,
     * they may need one search more, since what fails in a queue by numbers alone is not saved.
     */
    List<Scheduler> others(LiquidScheduler scheduler, SchedulerSnapshot now) {
      return has(Feature.BOUNDS) && has(Feature.TREE)
          ? List.of()
          : List.of(scheduler.copy(), options(scheduler.view().topology()).restore(now));
    }

    /** Returns an event with what its job has besides where features are on. */
    ClusterEvent dressed(ClusterEvent event) {
      return switch (event) {
        case ClusterEvent.JobSubmitted e ->
            new ClusterEvent.JobSubmitted(e.at(), dressed(e.spec(), e.at()));
        case ClusterEvent.JobUpdated e ->
            new ClusterEvent.JobUpdated(e.at(), dressed(e.spec(), e.at()));
        default -> event;
      };
    }

    private JobSpec dressed(JobSpec job, Instant now) {
      int number = Integer.parseInt(job.id().value().substring(1));
      JobSpec.Builder builder = job.toBuilder();
      if (has(Feature.DEADLINES) && number % 3 == 0) {
        job.expectedWork()
            .flatMap(work -> work.duration())
            .ifPresent(length -> builder.deadline(now.plus(length.multipliedBy(1 + number % 4))));
      }
      if (has(Feature.PREFETCH) && number % 2 == 0) {
        builder.dataset(new Dataset("set" + number % 3, Memory.ofGib(2)));
      }
      return builder.build();
    }
  }

  @Provide
  Arbitrary<World> worlds() {
    Arbitrary<JobDraft> jobs =
        Arbitraries.oneOf(
            JobDraft.any(), JobDraft.ofOneRole(), JobDraft.thatMayShare(), JobDraft.inParts());
    return Combinators.combine(
            QueueLaws.sequences(jobs),
            Arbitraries.of(Feature.class).set().ofMinSize(2).ofMaxSize(9),
            Arbitraries.integers().between(0, 59))
        .as(AnyFeaturesLaws::world);
  }

  private static World world(QueueLaws.Sequence sequence, Set<Feature> drawn, int variant) {
    Set<Feature> features = EnumSet.copyOf(drawn);
    EventSequence events = sequence.events();
    for (Feature feature : drawn) {
      if (features.contains(feature)) {
        features.removeIf(other -> Feature.isRefused(feature, other));
      }
    }
    EventSequence with =
        new EventSequence(
            withDisks(events.cluster()),
            events.policy(),
            Feature.rules(features, variant),
            Optional.empty(),
            events.steps());
    return new World(new QueueLaws.Sequence(with, sequence.trees()), features, variant);
  }

  private static ClusterTopology withDisks(ClusterTopology cluster) {
    return cluster.withNodes(
        cluster.nodes().stream()
            .map(node -> node.toBuilder().disk(Memory.ofGib(3)).build())
            .toList());
  }

  @Tag("soak")
  @Property(edgeCases = EdgeCasesMode.NONE)
  void nobodyUsesWhatAnotherHoldsAndRestartsChangeNothing(@ForAll("worlds") World world) {
    tries++;
    PresenceBooks books = new PresenceBooks();
    LiquidScheduler scheduler = world.options(world.sequence().events().cluster()).build();
    Playback playback = new Playback(scheduler, new StalePlans());
    List<ClusterStep> steps = world.sequence().events().steps();
    for (int step = 0; step < steps.size(); step++) {
      if (step % 11 == 7) {
        scheduler = world.options(scheduler.view().topology()).restore(scheduler.snapshot());
        playback = playback.goingOnWith(scheduler);
      }
      Instant now = playback.now();
      Optional<ClusterEvent> queues =
          world.treeBefore(step).map(tree -> new ClusterEvent.QueuesChanged(now, tree));
      if (queues.isPresent()) {
        take(queues.get(), world, scheduler, playback, books);
      }
      Optional<ClusterEvent> event = event(world, steps.get(step), scheduler, playback);
      if (event.isPresent()) {
        take(event.get(), world, scheduler, playback, books);
      }
    }
  }

  private static Optional<ClusterEvent> event(
      World world, ClusterStep step, LiquidScheduler scheduler, Playback playback) {
    boolean isMove = step.kind() == ClusterStep.Kind.PLAN && !world.has(Feature.WINDOW);
    return isMove
        ? Optional.of(ProposedMoves.of(scheduler.view(), step.pick(), playback.now()))
        : playback.event(step).map(world::dressed);
  }

  private void take(
      ClusterEvent event,
      World world,
      LiquidScheduler scheduler,
      Playback playback,
      PresenceBooks books) {
    SchedulerSnapshot before = scheduler.snapshot();
    scheduler.whatIf(List.of(event), 3);
    assertThat(SnapshotDifference.of(scheduler.snapshot(), before))
        .as("after a question")
        .isEmpty();
    List<Scheduler> others = world.others(scheduler, before);

    List<Decision> decisions = playback.take(event).decisions();

    for (Scheduler other : others) {
      assertThat(other.on(event)).as("%s", event).isEqualTo(decisions);
      assertThat(other.nextWakeUp()).isEqualTo(scheduler.nextWakeUp());
      ShortEventLaws.requireAlike(other, scheduler);
    }
    books.enter(event, decisions, scheduler);
    if (!world.has(Feature.DEADLINES)) {
      // A start may shorten a promise, and let others start before theirs at the next event.
      WakeUps.requireNoStartBeforeTheNext(scheduler, event.at());
    }
    for (Feature feature : world.features()) {
      if (feature.acted(decisions, scheduler)) {
        world
            .features()
            .forEach(
                other ->
                    acted
                        .computeIfAbsent(feature, any -> new EnumMap<>(Feature.class))
                        .merge(other, 1, Integer::sum));
      }
    }
  }

  /** Pairs that are refused cannot act. */
  @AfterProperty
  void everyFeatureActsBesideEveryOther() {
    if (tries >= 1000) {
      for (Feature feature : Feature.values()) {
        for (Feature other : Feature.values()) {
          assertThat(acted.getOrDefault(feature, Map.of()).getOrDefault(other, 0) > 0)
              .as("%s beside %s, of %s", feature, other, acted)
              .isEqualTo(!Feature.isRefused(feature, other));
        }
      }
    }
  }
}
