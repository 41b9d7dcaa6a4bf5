package io.github.liquidscheduler.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.ended.EndedJobs;
import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs x1 to x4 of a GPU fill node n0, and y all four GPUs of n1. */
class FreedNodesTest {

  private static final ResourceRequest FEW_CORES =
      ResourceRequest.builder().cpu(CpuCores.of(0.1)).build();
  private static final JobSpec.Builder ONE = task("one", 1);
  private static final JobSpec.Builder TWO = task("two", 2);

  private JobTable table = table(Policies.bestEffortFifo());

  @Test
  void growthHelpsAJobIfATaskFits() {
    wait(TWO, ONE);
    end("x1");
    FreedNodes freed = freed();
    HelpedClasses walk = walk(freed);

    assertThat(next(walk)).isEqualTo("one");
    assertThat(next(walk)).isEqualTo("nobody");
    assertThat(freed.mayHelp(entry("two"))).isFalse();
    assertThat(freed.mayHelp(entry("one"))).isTrue();
  }

  @Test
  void withoutCapacityBoundAnyGrowthHelpsEveryJob() {
    wait(TWO, ONE);
    end("x1");
    FreedNodes freed =
        new FreedNodes(table, true, false, new GrownCapacity(table, Placers.bestFit()));
    HelpedClasses walk = walk(freed);
    freed.failed(entry("two"));

    assertThat(freed.mayHelp(entry("two"))).isTrue();
    assertThat(freed.isTooLittle(entry("two"))).isFalse();
    assertThat(next(walk)).isEqualTo("two");
    assertThat(next(walk)).isEqualTo("one");
  }

  @Test
  void withoutGrowthNoJobIsHelped() {
    wait(ONE);

    assertThat(freed().mayHelp(entry("one"))).isFalse();
  }

  @Test
  void capacityTakenByAStartHelpsNoOtherJob() {
    wait(ONE, task("other", 1).excludeNodes(List.of("n1")));
    end("x1");
    HelpedClasses walk = walk(freed());
    assertThat(next(walk)).isEqualTo("one");

    table.runTransitions().start(entry("one"), Entries.on("one", "n0", 0));
    walk.started(entry("one"));

    assertThat(next(walk)).isEqualTo("nobody");
  }

  @Test
  void aStartedJobIsNotVisitedByTheNextWalk() {
    wait(ONE, task("other", 1).excludeNodes(List.of("n1")));
    end("x1");
    HelpedClasses walk = walk(freed());
    assertThat(walk.peek()).isSameAs(entry("one"));

    table.runTransitions().start(entry("one"), Entries.on("one", "n0", 0));
    walk.preempted(Long.MIN_VALUE);

    assertThat(next(walk)).isEqualTo("nobody");
  }

  @Test
  void aFailedJobIsHelpedByLaterGrowthOnly() {
    wait(ONE);
    end("x1");
    freed().failed(entry("one"));
    assertThat(freed().mayHelp(entry("one"))).isFalse();

    end("x2");

    assertThat(freed().mayHelp(entry("one"))).isTrue();
  }

  @Test
  void aGangIsHelpedOnceItsWholeShortageHasGrown() {
    wait(JobSpec.builder("gang").gpus(3));
    end("x1");
    assertThat(freed().isTooLittle(entry("gang"))).isTrue();
    assertThat(entry("gang").shortage().missing()).isEqualTo(2);
    freed().failed(entry("gang"));
    assertThat(entry("gang").shortage().missing()).isEqualTo(2);

    settle();
    end("x2");
    assertThat(next(walk(freed()))).isEqualTo("nobody");
    assertThat(entry("gang").shortage().missing()).isEqualTo(1);
    assertThat(freed().isTooLittle(entry("gang"))).isTrue();
    settle();
    end("x3");
    assertThat(next(walk(freed()))).isEqualTo("gang");
    assertThat(freed().isTooLittle(entry("gang"))).isFalse();
  }

  @Test
  void noShortageIsKnownOfSharingJobs() {
    wait(task("shared", 1).sharing(new Sharing.Opportunistic()), task("two", 2));

    assertThat(freed().isTooLittle(entry("shared"))).isFalse();
    assertThat(freed().isTooLittle(entry("two"))).isTrue();
    table.agenda().growEverywhere(table.cluster().topology());
    assertThat(next(walk(freed()))).isEqualTo("shared");
    assertThat(freed().mayHelp(entry("two"))).isFalse();
  }

  @Test
  void newlyAcceptedCoRunnersHelpAJob() {
    Workload bert = Workload.builder("bert").build();
    Workload vgg = Workload.builder("vgg").build();
    wait(
        task("bert", 1).workload(bert).sharing(new Sharing.Opportunistic()),
        task("vgg", 1).workload(vgg).sharing(new Sharing.Opportunistic()),
        task("gnn", 1).sharing(new Sharing.Opportunistic()),
        task("alone", 1).workload(bert));

    Sharing opportunistic = new Sharing.Opportunistic();
    table
        .agenda()
        .admitBeside(
            new CoRunnerKind(bert, opportunistic), Set.of(new CoRunnerKind(vgg, opportunistic)));

    assertThat(next(walk(freed()))).isEqualTo("bert");
    assertThat(freed().mayHelp(entry("vgg"))).isFalse();
    assertThat(freed().mayHelp(entry("gnn"))).isFalse();
    assertThat(freed().mayHelp(entry("alone"))).isFalse();
    settle();
    assertThat(freed().mayHelp(entry("bert"))).isFalse();
  }

  @Test
  void aSharingJobRefusedOnAllGrownNodesIsNotHelped() {
    wait(task("shared", 1).sharing(new Sharing.Opportunistic()), task("one", 1));
    end("x1");
    FreedNodes freed =
        new FreedNodes(table, false, false, new GrownCapacity(table, new LettingComeOn(4)));
    HelpedClasses walk = walk(freed);

    assertThat(next(walk)).isEqualTo("one");
    assertThat(freed.mayHelp(entry("shared"))).isFalse();
  }

  @Test
  void growthOnANodeThatIsNotUpHelpsNoJob() {
    wait(ONE);
    table.cluster().setHealth(NodeId.of("n0"), NodeHealth.DRAINING);
    end("x1");

    assertThat(freed().mayHelp(entry("one"))).isFalse();
  }

  @Test
  void preemptibleCapacityCountsAsGrowth() {
    table = table(Policies.priority());
    wait(task("equal", 2), task("high", 2).priority(1));
    table.reviews().advance(Instant.EPOCH.plusSeconds(1));
    end("x1");
    assertThat(freed().mayHelp(entry("high"))).isFalse();
    growOnFirstNode();

    assertThat(freed().mayHelp(entry("high"))).isTrue();
    assertThat(freed().mayHelp(entry("equal"))).isFalse();
    assertThat(freed().isTooLittle(entry("high"))).isFalse();
    assertThat(freed().isTooLittle(entry("equal"))).isTrue();
  }

  @Test
  void nonPreemptibleCapacityDoesNotCount() {
    table = table(Policies.priority(), false);
    wait(task("high", 2).priority(1));
    growOnFirstNode();

    assertThat(freed().mayHelp(entry("high"))).isFalse();
    assertThat(freed().isTooLittle(entry("high"))).isTrue();
  }

  @Test
  void aPreemptionHelpsSkippedJobs() {
    table = table(Policies.priority());
    wait(task("equal", 2));
    end("x1");
    HelpedClasses walk = walk(freed());
    assertThat(next(walk)).isEqualTo("nobody");

    table.runTransitions().preempt(entry("x2"));
    walk.preempted(0);

    assertThat(table.eligible().byClass().ready()).containsExactly(entry("x2"));
    assertThat(next(walk)).isEqualTo("equal");
  }

  @Test
  void aPreemptionHelpsSkippedJobsOfTheSameRank() {
    table = table(Policies.priority());
    wait(task("equal", 2), task("other", 1).excludeNodes(List.of("n1")));
    end("x1");
    HelpedClasses walk = walk(freed());
    assertThat(walk.peek()).isSameAs(entry("other"));

    table.runTransitions().preempt(entry("x2"));
    walk.preempted(entry("x2").rank());

    assertThat(table.eligible().byClass().ready()).containsExactly(entry("x2"));
    assertThat(next(walk)).isEqualTo("equal");
    assertThat(next(walk)).isEqualTo("other");
  }

  @Test
  void aPreemptionOfAHigherRankDoesNotHelpSkippedJobs() {
    table = table(Policies.priority());
    wait(task("higher", 5).priority(2), task("high", 3).priority(1), task("equal", 2));
    growOnFirstNode();
    HelpedClasses walk = walk(freed());
    assertThat(walk.peek()).isSameAs(entry("high"));

    table.runTransitions().preempt(entry("x2"));
    walk.preempted(entry("x2").rank());

    assertThat(table.eligible().byClass().ready()).containsExactly(entry("x2"));
    assertThat(next(walk)).isEqualTo("high");
    assertThat(next(walk)).isEqualTo("nobody");
  }

  @Test
  void afterAPreemptionNoVictimCountsTwice() {
    table = table(Policies.priority());
    manyPrioritiesRun();
    wait(task("high", 4).priority(99));
    FreedNodes freed = freed();
    HelpedClasses walk = walk(freed);
    assertThat(freed.isTooLittle(entry("high"))).isFalse();

    table.runTransitions().preempt(entry("x1"));
    table.runTransitions().end(entry("x2"), Outcome.FINISHED);
    submit(table, JobSpec.builder("fixed").gpus(2).preemptible(false));
    table.runTransitions().start(entry("fixed"), Entries.on("fixed", "n0", 0, 1));
    walk.preempted(0);

    assertThat(freed.isTooLittle(entry("high"))).isTrue();
  }

  private void manyPrioritiesRun() {
    for (int priority = 1; priority <= 20; priority++) {
      String id = "c" + priority;
      submit(table, JobSpec.builder(id).role("worker", 1, FEW_CORES).priority(priority));
      TaskPlacement task =
          new TaskPlacement(new TaskId("worker", 0), NodeId.of("n1"), List.of(), FEW_CORES);
      table.runTransitions().start(entry(id), new Placement(JobId.of(id), List.of(task)));
    }
  }

  @Test
  void inATreeCapacityOfTheOwnQueueOnGrownNodesCounts() {
    inATreeWithoutShares(Policies.priority());
    wait(task("mine", 2).priority(1), task("guest", 2).priority(1).queue("other"));
    growOnFirstNode();
    FreedNodes freed = freed();
    HelpedClasses walk = walk(freed);

    assertThat(freed.mayHelp(entry("mine"))).isTrue();
    assertThat(freed.mayHelp(entry("guest"))).isFalse();
    assertThat(next(walk)).isEqualTo("mine");
    assertThat(next(walk)).isEqualTo("nobody");
  }

  @Test
  void inATreeFreeCapacityCountsWithoutJobsOfTheOwnQueue() {
    inATreeWithoutShares(Policies.priority());
    wait(task("four", 4));
    growOnFirstNode();
    end("y");

    assertThat(next(walk(freed()))).isEqualTo("four");
  }

  @Test
  void inATreeCapacityTakenByAStartHelpsNoOtherJob() {
    inATreeWithoutShares(Policies.priority());
    wait(ONE, task("other", 1).excludeNodes(List.of("n1")));
    end("x1");
    HelpedClasses walk = walk(freed());
    assertThat(next(walk)).isEqualTo("one");

    table.runTransitions().start(entry("one"), Entries.on("one", "n0", 0));
    walk.started(entry("one"));

    assertThat(next(walk)).isEqualTo("nobody");
  }

  @Test
  void inATreeAPreemptionCountsOnNodesThatHadNotGrown() {
    inATreeWithoutShares(Policies.priority());
    wait(task("four", 4));
    end("x1");
    HelpedClasses walk = walk(freed());
    assertThat(next(walk)).isEqualTo("nobody");

    table.runTransitions().preempt(entry("y"));
    walk.preempted(Long.MIN_VALUE);

    assertThat(next(walk)).isEqualTo("four");
  }

  @Test
  void theShortageOfAReclaimingJobStaysKnown() {
    table.queues().change(QueueTree.of(QueueSpec.named("default"), QueueSpec.named("other")));
    settle();
    wait(JobSpec.builder("gang").gpus(3).queue("other"));
    assertThat(freed().isTooLittle(entry("gang"))).isFalse();
    assertThat(entry("gang").shortage().missing()).isEqualTo(3);
    settle();

    end("x1");

    assertThat(next(walk(freed()))).isEqualTo("gang");
    assertThat(entry("gang").shortage().missing()).isEqualTo(2);
  }

  @Test
  void aShortageIsForgottenIfMoreThanCapacityDecides() {
    QueueQuota unlendable = QueueQuota.guaranteed(1).withLendingLimit(0);
    table
        .queues()
        .change(
            QueueTree.of(
                QueueSpec.named("default").with(QuotaResource.GPUS, unlendable),
                withoutShare("other")));
    settle();
    wait(JobSpec.builder("gang").gpus(3).queue("other"));
    lack("gang", 3);

    end("x1");

    assertThat(next(walk(freed()))).isEqualTo("gang");
    assertThat(entry("gang").shortage().missing()).isZero();
  }

  @Test
  void theShortageOfTheHeadOfAQueueThatBlocksIsCounted() {
    table
        .queues()
        .change(QueueTree.of(QueueSpec.named("default"), withoutShare("other").withoutBypass()));
    settle();
    wait(JobSpec.builder("gang").gpus(3).queue("other"));
    lack("gang", 3);

    end("x1");

    assertThat(next(walk(freed()))).isEqualTo("nobody");
    assertThat(entry("gang").shortage().missing()).isEqualTo(2);
  }

  @Test
  void nothingIsCountedForAJobBlockedByAQuota() {
    table
        .queues()
        .change(
            QueueTree.of(
                QueueSpec.named("default"),
                QueueSpec.named("other")
                    .with(QuotaResource.GPUS, QueueQuota.BEST_EFFORT.withWeight(0).withLimit(1))));
    settle();
    wait(JobSpec.builder("gang").gpus(3).queue("other"));
    lack("gang", 3);

    end("x1");

    assertThat(next(walk(freed()))).isEqualTo("nobody");
    assertThat(entry("gang").shortage().missing()).isZero();
  }

  private void lack(String job, int tasks) {
    JobEntry gang = entry(job);
    gang.shortage().lack(gang.placementClass().tasks().getFirst(), tasks, gang.rank(), 0);
  }

  @Test
  void aSharingJobIsHelpedOnAGrownNodeThatAcceptsIt() {
    wait(task("shared", 1).sharing(new Sharing.Opportunistic()));
    end("x1");

    assertThat(freed(new LettingComeOn(3)).mayHelp(entry("shared"))).isTrue();
    assertThat(freed(new LettingComeOn(4)).mayHelp(entry("shared"))).isFalse();
  }

  @Test
  void newlyAcceptedCoRunnersRefusedByThePlacerHelpNoJob() {
    Workload bert = Workload.builder("bert").build();
    Sharing opportunistic = new Sharing.Opportunistic();
    wait(task("bert", 1).workload(bert).sharing(opportunistic));
    table
        .agenda()
        .admitBeside(
            new CoRunnerKind(bert, opportunistic), Set.of(new CoRunnerKind(bert, opportunistic)));

    assertThat(freed().mayHelp(entry("bert"))).isTrue();
    assertThat(freed(new LettingComeOn(4)).mayHelp(entry("bert"))).isFalse();
  }

  private FreedNodes freed(Placer placer) {
    return new FreedNodes(table, false, false, new GrownCapacity(table, placer));
  }

  /** Lets jobs come on one GPU, numbered over all nodes, if on any. */
  private static final class LettingComeOn implements Placer {
    private final int gpu;

    LettingComeOn(int gpu) {
      this.gpu = gpu;
    }

    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      return Optional.empty();
    }

    @Override
    public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
      return List.of();
    }

    @Override
    public boolean mayUse(ClusterView view, JobSpec job, BitSet gpus) {
      return gpus.get(gpu);
    }
  }

  private void inATreeWithoutShares(SchedulingPolicy policy) {
    table = table(policy);
    table.queues().change(QueueTree.of(withoutShare("default"), withoutShare("other")));
    settle();
  }

  private static QueueSpec withoutShare(String queue) {
    return QueueSpec.named(queue).with(QuotaResource.GPUS, QueueQuota.BEST_EFFORT.withWeight(0));
  }

  private String next(HelpedClasses walk) {
    @Nullable JobEntry next = walk.peek();
    if (next == null) {
      return "nobody";
    }
    walk.skip();
    return next.id().value();
  }

  private FreedNodes freed() {
    return freed(Placers.bestFit());
  }

  private HelpedClasses walk(FreedNodes freed) {
    HelpedClasses walk = new HelpedClasses(table, freed);
    walk.begin();
    return walk;
  }

  private JobEntry entry(String job) {
    return table.get(JobId.of(job));
  }

  private void end(String job) {
    table.runTransitions().end(entry(job), Outcome.FINISHED);
  }

  /** Parks all classes, as after a pass in which all have failed. */
  private void settle() {
    table.eligible().byClass().firsts().forEach(table.eligible().byClass()::park);
    table.agenda().settle();
  }

  private void wait(JobSpec.Builder... jobs) {
    for (JobSpec.Builder job : jobs) {
      submit(table, job);
    }
    settle();
  }

  private static void submit(JobTable table, JobSpec.Builder job) {
    JobSpec spec = job.build();
    table.waitingTransitions().submit(spec, new PlacementClass(spec));
  }

  /** Returns a job of one task. */
  private static JobSpec.Builder task(String id, int gpus) {
    return JobSpec.builder(id).role("worker", 1, ResourceRequest.ofGpus(gpus));
  }

  private static JobTable table(SchedulingPolicy policy) {
    return table(policy, true);
  }

  private static JobTable table(SchedulingPolicy policy, boolean preemptible) {
    ClusterState cluster =
        ClusterState.of(ClusterTopology.builder().node(node("n0")).node(node("n1")).build());
    JobTable table =
        new JobTable(
            cluster,
            policy,
            PreemptionRules.NONE,
            null,
            null,
            new EndedJobs(10),
            false,
            false,
            false);
    table.reviews().advance(Instant.EPOCH);
    for (int i = 1; i <= 4; i++) {
      submit(table, JobSpec.builder("x" + i).gpus(1).preemptible(preemptible));
      table.runTransitions().start(table.get(JobId.of("x" + i)), Entries.on("x" + i, "n0", i - 1));
    }
    submit(table, JobSpec.builder("y").gpus(4).preemptible(false));
    table.runTransitions().start(table.get(JobId.of("y")), Entries.on("y", "n1", 0, 1, 2, 3));
    table.agenda().settle();
    return table;
  }

  private static Node node(String id) {
    return Node.builder(id)
        .gpus(4, GpuModel.of("V100"), Memory.ofGib(16))
        .cpu(CpuCores.of(8))
        .build();
  }

  private void growOnFirstNode() {
    table.agenda().growFrom(Long.MIN_VALUE, NodeId.of("n0"), table.cluster().topology());
  }
}
