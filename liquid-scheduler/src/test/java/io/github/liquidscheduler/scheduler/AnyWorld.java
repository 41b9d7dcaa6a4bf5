package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;

/**
 * A cluster, features of its scheduler, and what happens.
 *
 * @param variant chooses between the forms of each feature
 */
record AnyWorld(QueueLaws.Sequence sequence, Set<Feature> features, int variant) {

  private static final QueueTree LENDING =
      QueueTree.of(
          QueueSpec.named("default").withGpus(1),
          QueueSpec.named("research").withGpus(6),
          QueueSpec.named("spare").withGpus(1));

  static Arbitrary<AnyWorld> any() {
    Arbitrary<JobDraft> jobs =
        Arbitraries.oneOf(
            JobDraft.any(), JobDraft.ofOneRole(), JobDraft.thatMayShare(), JobDraft.inParts());
    return Combinators.combine(
            EventSequence.sequences(jobs, QueueLaws.POLICIES, 40),
            QueueLaws.trees().list().ofMinSize(1).ofMaxSize(3),
            Arbitraries.of(Feature.class)
                .set()
                .ofMinSize(2)
                .ofMaxSize(10)
                .withSizeDistribution(RandomDistribution.uniform()),
            Arbitraries.integers().between(0, 59))
        .as(AnyWorld::of);
  }

  private static AnyWorld of(
      EventSequence events, List<QueueTree> trees, Set<Feature> drawn, int variant) {
    Set<Feature> features = EnumSet.copyOf(drawn);
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
    return new AnyWorld(new QueueLaws.Sequence(with, trees), features, variant);
  }

  private static ClusterTopology withDisks(ClusterTopology cluster) {
    return cluster.withNodes(
        cluster.nodes().stream()
            .map(node -> node.toBuilder().disk(Memory.ofGib(3)).build())
            .toList());
  }

  /** Returns the cluster of the beginning. */
  ClusterTopology cluster() {
    return sequence.events().cluster();
  }

  List<ClusterStep> steps() {
    return sequence.events().steps();
  }

  boolean has(Feature feature) {
    return features.contains(feature);
  }

  /** Returns the options of a scheduler whose parts throw when the fuse blows. */
  LiquidScheduler.Builder options(ClusterTopology cluster, Fuse fuse) {
    EventSequence events = sequence.events();
    boolean isPlacerOwn = has(Feature.PARTS) && variant % 5 > 1;
    Placer placer = isPlacerOwn ? new Fuse.FusedPlacer(Placers.bestFit(), fuse) : Placers.bestFit();
    SchedulingPolicy policy =
        has(Feature.PARTS) ? new Fuse.FusedPolicy(events.policy(), fuse) : events.policy();
    return Feature.options(events.options(cluster).policy(policy), features, variant, placer);
  }

  /** Returns the same with other features. */
  AnyWorld without(Feature feature) {
    Set<Feature> fewer = EnumSet.copyOf(features);
    fewer.remove(feature);
    EventSequence events = sequence.events();
    EventSequence with =
        new EventSequence(
            events.cluster(),
            events.policy(),
            Feature.rules(fewer, variant),
            Optional.empty(),
            events.steps());
    return new AnyWorld(new QueueLaws.Sequence(with, sequence.trees()), fewer, variant);
  }

  /** Returns the tree that comes before a step, in half of the worlds one that lends much. */
  Optional<QueueTree> treeBefore(int step) {
    Optional<QueueTree> drawn = has(Feature.TREE) ? sequence.treeBefore(step) : Optional.empty();
    return drawn
        .map(tree -> variant < 30 ? LENDING : tree)
        .map(tree -> tree.with(Feature.pick(variant, Reclaiming.values())));
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
    if (has(Feature.TREE) && number % 12 > 5) {
      builder.queue("research");
    }
    if (has(Feature.PREFETCH) && number % 2 == 0) {
      builder.dataset(dataset(number));
    }
    return builder.build();
  }

  /** Returns one of three data sets, of which a node holds one. */
  static Dataset dataset(int number) {
    return new Dataset("set" + number % 3, Memory.ofGib(2));
  }
}
