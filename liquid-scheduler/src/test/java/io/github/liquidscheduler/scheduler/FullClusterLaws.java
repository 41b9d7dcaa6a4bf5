package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.ClusterStep.Kind;
import io.github.liquidscheduler.testkit.JobDraft;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * On a few nodes with many waiting jobs of few classes, a pass over grown nodes alone decides like
 * a pass that tries every job.
 */
class FullClusterLaws {

  private static final JobDraft.Constraints ANYWHERE =
      new JobDraft.Constraints(TopologyConstraint.NONE, List.of(), false);

  @Provide
  Arbitrary<EventSequence> sequences() {
    return crowded(jobs(Arbitraries.just(new Sharing.Exclusive())));
  }

  @Provide
  Arbitrary<EventSequence> sharingSequences() {
    return crowded(jobs(Arbitraries.of(new Sharing.Exclusive(), new Sharing.Opportunistic())));
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void jobsThatFitOnFreedNodesAreFound(@ForAll("sequences") EventSequence sequence) {
    Placer placer = Placers.bestFit();

    assertThat(sequence.play(sequence.options().placer(placer)))
        .isEqualTo(sequence.play(sequence.options().placer(new TryingEverybody(placer))));
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void jobsThatFitBesideCoRunnersAreFound(@ForAll("sharingSequences") EventSequence sequence) {
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

  private static Arbitrary<EventSequence> crowded(Arbitrary<JobDraft> jobs) {
    return Combinators.combine(
            Arbitraries.integers().between(1, 4).list().ofMinSize(2).ofMaxSize(4),
            Arbitraries.of(EventSequence.POLICIES),
            Arbitraries.of(
                PreemptionRules.NONE,
                PreemptionRules.NONE,
                PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(20)),
                PreemptionRules.NONE.minRunTime(Duration.ofSeconds(20))),
            Arbitraries.frequency(
                Tuple.of(4, Optional.<BatchWindow>empty()),
                Tuple.of(1, Optional.of(BatchWindow.of(Duration.ZERO).bypassLimit(1)))),
            steps(jobs).list().ofMinSize(10).ofMaxSize(40))
        .as(
            (gpus, policy, rules, window, steps) ->
                new EventSequence(cluster(gpus), policy, rules, window, steps));
  }

  private static ClusterTopology cluster(List<Integer> gpusOfNodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int n = 0; n < gpusOfNodes.size(); n++) {
      cluster.node(
          Node.builder("n" + n)
              .gpus(gpusOfNodes.get(n), GpuModel.of("V100"), Memory.ofGib(16))
              .cpu(CpuCores.of(8))
              .build());
    }
    return cluster.build();
  }

  private static Arbitrary<ClusterStep> steps(Arbitrary<JobDraft> jobs) {
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(12, Kind.SUBMIT),
                Tuple.of(7, Kind.FINISH),
                Tuple.of(1, Kind.UPDATE),
                Tuple.of(1, Kind.CANCEL),
                Tuple.of(1, Kind.RETRY),
                Tuple.of(2, Kind.PROGRESS),
                Tuple.of(1, Kind.DRAIN),
                Tuple.of(1, Kind.LOSE_NODE),
                Tuple.of(2, Kind.RETURN),
                Tuple.of(1, Kind.PLAN),
                Tuple.of(2, Kind.WAKE_UP)),
            Arbitraries.integers().between(0, 1000),
            Arbitraries.of(0, 1, 30, 100),
            jobs)
        .as(ClusterStep::new);
  }

  private static Arbitrary<JobDraft> jobs(Arbitrary<Sharing> sharing) {
    return Combinators.combine(
            roles(),
            Arbitraries.integers().between(0, 3),
            Arbitraries.frequency(Tuple.of(4, true), Tuple.of(1, false)),
            Arbitraries.of(0, 50, 200),
            sharing,
            Arbitraries.of("default", "research"))
        .as(
            (tasks, priority, preemptible, seconds, shared, queue) ->
                new JobDraft(
                    tasks,
                    List.of(),
                    0,
                    ANYWHERE,
                    priority,
                    preemptible,
                    seconds,
                    shared,
                    QueueName.of(queue),
                    30));
  }

  /** Few enough that several jobs of one class wait at a time. */
  private static Arbitrary<List<TaskRole>> roles() {
    return Arbitraries.of(
        List.of(tasks("worker", 1, 1, 0)),
        List.of(tasks("worker", 1, 2, 0)),
        List.of(tasks("worker", 3, 1, 2)),
        List.of(tasks("worker", 2, 2, 0)),
        List.of(tasks("worker", 6, 1, 0)),
        List.of(tasks("worker", 1, 0, 6)),
        List.of(tasks("ps", 2, 0, 4), tasks("worker", 2, 1, 0)));
  }

  private static TaskRole tasks(String name, int count, int gpus, int cores) {
    ResourceRequest.Builder request = ResourceRequest.builder().gpus(gpus);
    if (cores > 0) {
      request.cpu(CpuCores.of(cores));
    }
    return new TaskRole(name, count, request.build());
  }
}
