package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.queue.Reclaiming.COMPUTED_SHARES;
import static io.github.liquidscheduler.queue.Reclaiming.NEVER;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.queue.DecayedUsage;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.JobNames;
import java.time.Duration;
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

  private static final TaskRole SMALL = new TaskRole("worker", 1, ResourceRequest.ofGpus(1));
  private static final TaskRole LARGE = new TaskRole("worker", 1, ResourceRequest.ofGpus(3));

  /** Whatever these queues use is beyond what is guaranteed to them. */
  private static final QueueTree FAIR =
      QueueTree.of(
          QueueSpec.named("default").with(QuotaResource.GPUS, QueueQuota.guaranteed(0)),
          QueueSpec.named("research").with(QuotaResource.GPUS, QueueQuota.guaranteed(0)),
          QueueSpec.named("spare").with(QuotaResource.GPUS, QueueQuota.guaranteed(1)));

  private static final DecayedUsage MINUTE = new DecayedUsage(Duration.ofSeconds(60), 5);
  private static final DecayedUsage HOUR = new DecayedUsage(Duration.ofHours(1), 5);

  static Arbitrary<AnyWorld> any() {
    Arbitrary<JobDraft> jobs =
        Arbitraries.oneOf(
            JobDraft.any(),
            JobDraft.ofOneRole(),
            JobDraft.thatMayShare(),
            JobDraft.ofEveryKind(),
            JobDraft.inParts());
    return Combinators.combine(
            EventSequence.sequences(jobs, QueueLaws.POLICIES, 40),
            QueueLaws.trees().list().ofMinSize(1).ofMaxSize(3),
            Arbitraries.of(Feature.class)
                .set()
                .ofMinSize(4)
                .ofMaxSize(14)
                .withSizeDistribution(RandomDistribution.uniform()),
            Arbitraries.integers().between(0, 9_999))
        .as(AnyWorld::of);
  }

  private static AnyWorld of(
      EventSequence events, List<QueueTree> trees, Set<Feature> drawn, int variant) {
    Set<Feature> features = Feature.together(drawn, variant);
    EventSequence with =
        new EventSequence(
            withDisks(larger(events.cluster(), moreNodes(features, variant))),
            policy(events, features, variant),
            Feature.rules(features, variant),
            Optional.empty(),
            features.contains(Feature.MOVES) ? thatMove(events.steps()) : events.steps());
    return new AnyWorld(new QueueLaws.Sequence(with, trees), features, variant);
  }

  /** Returns the policy, one that pre-empts more often where jobs are protected from that. */
  private static SchedulingPolicy policy(EventSequence events, Set<Feature> features, int variant) {
    SchedulingPolicy drawn = new ExtremeTimes(variant).policy(events.policy());
    return features.contains(Feature.PROTECTION) && Feature.PROTECTION.form(variant, 2) == 0
        ? Feature.PROTECTION.pick(
            variant + 1, Policies.priority(), Policies.shortestRemainingTimeFirst())
        : drawn;
  }

  /** Returns steps of which some leave small gaps on nodes, and more drain one. */
  private static List<ClusterStep> thatMove(List<ClusterStep> steps) {
    return steps.stream().map(AnyWorld::thatMoves).toList();
  }

  private static ClusterStep thatMoves(ClusterStep step) {
    boolean drains = step.kind() == ClusterStep.Kind.RESIZE && step.pick() % 2 == 0;
    return new ClusterStep(
        drains ? ClusterStep.Kind.DRAIN : step.kind(),
        step.pick(),
        step.seconds(),
        step.pick() % 4 == 0 ? step.job() : step.job().plain(step.pick() % 4 == 1 ? LARGE : SMALL));
  }

  /**
   * Returns how many nodes of each model there are besides. Jobs move to faster GPUs, or for
   * others, where there is more than jobs need; queues divide what there is too little of.
   */
  private static int moreNodes(Set<Feature> features, int variant) {
    boolean isLight =
        features.contains(Feature.FASTER)
            ? Feature.FASTER.form(variant, 8) > (features.contains(Feature.DECAY) ? 3 : 0)
            : !features.contains(Feature.DECAY) && Feature.FASTER.form(variant, 4) == 0;
    return isLight
        ? 1 + Feature.FASTER.form(variant + 1, 3)
        : features.contains(Feature.MOVES) && !features.contains(Feature.DECAY) ? 1 : 0;
  }

  private static ClusterTopology larger(ClusterTopology cluster, int nodes) {
    ClusterTopology larger = cluster;
    for (int n = 0; n < nodes; n++) {
      for (GpuModel model : JobDraft.MODELS) {
        larger =
            larger.withNode(
                Node.builder(model.name() + "-" + n)
                    .gpus(4, model, Memory.ofGib(32))
                    .cpu(CpuCores.of(32))
                    .memory(Memory.ofGib(128))
                    .build(),
                List.of());
      }
    }
    return larger;
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

  /** Returns true if jobs end when they were told to, unless something happens to them before. */
  boolean isPunctual() {
    return variant % 2 == 0;
  }

  /** Returns the options of a scheduler whose parts throw when the fuse blows. */
  LiquidScheduler.Builder options(ClusterTopology cluster, Fuse fuse) {
    EventSequence events = sequence.events();
    boolean isPlacerOwn = has(Feature.PARTS) && Feature.PARTS.form(variant, 5) > 1;
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
    if (has(Feature.DECAY)) {
      // Announced capacity keeps most jobs away that decayed usage would order.
      int forms = has(Feature.ADVANCE) ? 8 : 3;
      return drawn
          .map(tree -> Feature.DECAY.form(variant, forms) > 0 ? FAIR : tree)
          .map(
              tree ->
                  tree.with(
                          Feature.DECAY.form(variant + 2, forms) < forms - 1
                              ? COMPUTED_SHARES
                              : NEVER)
                      .withDecayedUsage(decay()));
    }
    return drawn
        .map(tree -> Feature.TREE.form(variant, 2) == 0 ? LENDING : tree)
        .map(tree -> tree.with(Feature.TREE.pick(variant + 1, Reclaiming.values())));
  }

  private DecayedUsage decay() {
    DecayedUsage ordinary = Feature.DECAY.pick(variant + 1, MINUTE, HOUR);
    return new DecayedUsage(
        times().atLeast("half-life", ordinary.halfLife()), ordinary.sensitivity());
  }

  ExtremeTimes times() {
    return new ExtremeTimes(variant);
  }

  /** Returns the rules of pre-emption. */
  PreemptionRules rules() {
    return sequence.events().rules();
  }

  /** Returns an event with what its job has besides where features are on. */
  ClusterEvent dressed(ClusterEvent event) {
    return times()
        .of(
            switch (event) {
              case ClusterEvent.JobSubmitted e ->
                  new ClusterEvent.JobSubmitted(e.at(), dressed(e.spec(), e.at()));
              case ClusterEvent.JobUpdated e ->
                  new ClusterEvent.JobUpdated(e.at(), dressed(e.spec(), e.at()));
              case ClusterEvent.JobAdopted e ->
                  new ClusterEvent.JobAdopted(
                      e.at(), dressed(e.spec(), e.at()), e.nodes(), e.since(), e.isOwned());
              default -> event;
            });
  }

  private JobSpec dressed(JobSpec job, Instant now) {
    int number = JobNames.number(job.id());
    JobSpec.Builder builder = job.toBuilder();
    if (has(Feature.DEADLINES) && number % 3 == 0) {
      job.expectedWork()
          .flatMap(work -> work.duration())
          .ifPresent(length -> builder.deadline(now.plus(length.multipliedBy(1 + number % 4))));
    }
    if (has(Feature.FASTER)) {
      job.expectedWork()
          .flatMap(work -> work.duration())
          .ifPresent(
              length ->
                  builder.expectedWork(
                      ExpectedWork.ofDuration(length.multipliedBy(1 + number % 4 * 10))));
    }
    if (has(Feature.TREE) && number % 12 > 5) {
      builder.queue("research");
    }
    if (has(Feature.PREFETCH) && number % 2 == 0) {
      builder.dataset(dataset(number));
    }
    Instant earlier = now.minusSeconds(20L * number);
    if (number % 7 == 3 && !earlier.isBefore(Instant.EPOCH)) {
      builder.submittedAt(earlier);
    }
    return builder.build();
  }

  /** Returns one of three data sets, of which a node holds one. */
  static Dataset dataset(int number) {
    return new Dataset("set" + number % 3, Memory.ofGib(2));
  }
}
