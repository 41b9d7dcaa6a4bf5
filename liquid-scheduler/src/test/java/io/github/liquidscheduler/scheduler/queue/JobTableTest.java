package io.github.liquidscheduler.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.ended.EndedJobs;
import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobQueue;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * On two nodes of four GPUs the jobs r1 and r2 run, w waits, p is parked for a plan, h is held and
 * s was pre-empted and still stops.
 */
class JobTableTest {

  private static final Instant NOW = Instant.ofEpochSecond(1000);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final PreemptionRules RULES = PreemptionRules.NONE.gracePeriod(MINUTE);

  private static final Progress AN_HOUR_LEFT = Progress.of(0, 0).withRemaining(Duration.ofHours(1));

  /** Everything that a table shows. */
  private record Shown(
      Instant now,
      long submissions,
      List<SnapshotSection> running,
      Map<NodeId, List<JobId>> byNode,
      List<SnapshotSection> waiting,
      List<Long> ranks,
      List<JobId> eligible,
      Map<JobId, Membership> parked,
      int gathered,
      List<JobId> held,
      WindowPhase phase,
      long requests,
      Map<JobId, Outcome> ended,
      Optional<JobId> blocked,
      Optional<Instant> nextReview,
      List<Integer> freeGpus) {}

  /** Returns what may happen to the jobs of a table. */
  static Stream<Named<Consumer<JobTable>>> steps() {
    return Stream.of(
        step("submit", table -> submit(table, job("new", 1))),
        step("reject", table -> table.waitingTransitions().reject(JobId.of("new"))),
        step(
            "update",
            table -> table.waitingTransitions().update(entry(table, "w"), job("w", 3).build())),
        step(
            "start",
            table -> table.runTransitions().start(entry(table, "w"), Entries.on("w", "n1", 2))),
        step(
            "update running",
            table ->
                table
                    .runTransitions()
                    .update(entry(table, "r1"), job("r1", 2).priority(7).queue("other").build())),
        step("preempt", table -> table.runTransitions().preempt(entry(table, "r1"))),
        step("evict", table -> table.runTransitions().evict(entry(table, "r2"))),
        step("stopped", table -> table.runTransitions().stopped(entry(table, "s"))),
        step("bypass", table -> table.waitingTransitions().countBypass(entry(table, "w"), 2)),
        step("fail", table -> table.runTransitions().fail(entry(table, "r1"), true, MINUTE)),
        step("delay", table -> table.waitingTransitions().delay(entry(table, "p"), MINUTE)),
        step(
            "exclude",
            table -> table.waitingTransitions().exclude(entry(table, "w"), without("n0"))),
        step("release held", JobTableTest::releaseDelayed),
        step("make eligible", table -> table.waitingTransitions().makeEligible(entry(table, "p"))),
        step(
            "park",
            table -> table.waitingTransitions().park(entry(table, "w"), Membership.REQUESTED)),
        step(
            "move",
            table -> table.runTransitions().move(entry(table, "r1"), Entries.on("r1", "n1", 2, 3))),
        step(
            "end running",
            table -> table.runTransitions().end(entry(table, "r2"), Outcome.FINISHED)),
        step(
            "end waiting",
            table -> table.runTransitions().end(entry(table, "w"), Outcome.CANCELLED)),
        step(
            "end parked",
            table -> table.runTransitions().end(entry(table, "p"), Outcome.CANCELLED)),
        step(
            "end stopping",
            table -> table.runTransitions().end(entry(table, "s"), Outcome.CANCELLED)),
        step("progress", table -> table.reviews().progress(entry(table, "r1"), AN_HOUR_LEFT)),
        step("review", JobTableTest::reviewLater),
        step("request", table -> table.batched().request(NOW, new WindowPhase.Idle())),
        step("unblock", table -> table.agenda().parkHead(null)));
  }

  private static Named<Consumer<JobTable>> step(String name, Consumer<JobTable> step) {
    return Named.of(name, step);
  }

  private static void releaseDelayed(JobTable table) {
    table.reviews().advance(NOW.plus(MINUTE));
    table.reviews().releaseDelayed();
  }

  private static void reviewLater(JobTable table) {
    table.reviews().advance(NOW.plus(Duration.ofHours(2)));
    table.reviews().review();
  }

  private final JobTable table = table(Policies.leastAttainedService(), true);

  JobTableTest() {
    fill(table);
  }

  @ParameterizedTest
  @MethodSource("steps")
  void aRolledBackTurnRestoresTheStateBefore(Consumer<JobTable> step) {
    Shown before = shown(table);
    table.savepoints().mark();
    step.accept(table);

    assertThat(shown(table)).isNotEqualTo(before);
    rollBack();
    assertThat(shown(table)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("steps")
  void aCopyIsIndependent(Consumer<JobTable> step) {
    Shown before = shown(table);
    JobTable copy = copy(table);
    assertThat(shown(copy)).isEqualTo(before);

    step.accept(copy);
    assertThat(shown(table)).isEqualTo(before);

    step.accept(table);
    assertThat(shown(table)).isEqualTo(shown(copy));
  }

  @ParameterizedTest
  @MethodSource("steps")
  void onlyTheLastTurnIsRolledBack(Consumer<JobTable> step) {
    table.savepoints().mark();
    step.accept(table);
    table.savepoints().commit();
    Shown between = shown(table);
    table.savepoints().mark();
    submit(table, job("later", 1));
    table.waitingTransitions().reject(JobId.of("never"));

    rollBack();
    assertThat(shown(table)).isEqualTo(between);
  }

  @ParameterizedTest
  @MethodSource("steps")
  void turnsWithinALookAheadAreRolledBackTogether(Consumer<JobTable> step) {
    Shown before = shown(table);
    table.savepoints().mark();
    table.savepoints().mark();
    submit(table, job("first", 1));
    table.runTransitions().end(entry(table, "first"), Outcome.CANCELLED);
    table.savepoints().commit();
    table.savepoints().mark();
    step.accept(table);
    table.savepoints().commit();
    Shown between = shown(table);
    table.savepoints().mark();
    submit(table, job("later", 1));
    rollBack();
    assertThat(shown(table)).isEqualTo(between);

    rollBack();
    assertThat(shown(table)).isEqualTo(before);
  }

  private void rollBack() {
    table.savepoints().takeOutChanged();
    table.savepoints().rollBack(false);
  }

  private static JobTable copy(JobTable table) {
    JobTable copy = table.emptyCopy();
    copy.adoptAll(table);
    copy.batched().restore(table.batched().requests(), table.batched().phase());
    @Nullable JobEntry blocked = table.agenda().parkedHead();
    copy.agenda().parkHead(blocked == null ? null : copy.find(blocked.id()));
    return copy;
  }

  @Test
  void aSavedJobIsRestoredWithItsRankAndItsCapacity() {
    JobTable restored = table(Policies.leastAttainedService(), true);
    restored.restoreClock(table.now(), table.submissions());
    table
        .running()
        .inOrder()
        .forEach(job -> restored.restore(saved(job), restored.cluster()::apply));
    table.allWaiting().forEach(job -> restored.restore(saved(job), restored.cluster()::apply));

    Shown shown = shown(restored);
    assertThat(shown.running()).isEqualTo(shown(table).running());
    assertThat(shown.byNode()).isEqualTo(shown(table).byNode());
    assertThat(shown.ranks()).isEqualTo(shown(table).ranks());
    assertThat(shown.freeGpus()).isEqualTo(shown(table).freeGpus());
    assertThat(shown.held()).isEqualTo(shown(table).held());
    assertThat(shown.parked().values()).containsOnly(Membership.LEFT_OVER);
  }

  @Test
  void aJobThatMovesIsOnItsNewNodeAlone() {
    JobEntry moved = entry(table, "r1");
    table.runTransitions().move(moved, Entries.on("r1", "n1", 2, 3));

    assertThat(table.running().on(NodeId.of("n0"))).isEmpty();
    assertThat(ids(table.running().on(NodeId.of("n1")))).containsExactly("r2", "r1");
    assertThat(ids(table.running().inOrder())).containsExactly("r2", "r1");
    assertThat(table.cluster().placement(moved.id())).isEqualTo(moved.placement());
    assertThat(table.agenda().grownNodes().stream()).containsExactly(0);
  }

  @Test
  void queuesCountWaitingAndRunningJobs() {
    JobTable fair = table(Policies.fairShare(), false);
    fair.reviews().advance(NOW);
    submit(fair, job("a", 2).queue("red"));
    submit(fair, job("b", 1).queue("red"));
    submit(fair, job("c", 1).queue("blue"));
    JobQueue red = entry(fair, "a").queue();
    fair.runTransitions().start(entry(fair, "a"), Entries.on("a", "n0", 0, 1));
    fair.waitingTransitions().delay(entry(fair, "b"), MINUTE);
    assertThat(List.of(red.waiting(), red.running(), red.gpus())).containsExactly(1, 1, 2);

    fair.runTransitions().stopped(entry(fair, "b"));
    assertThat(List.of(red.waiting(), red.running(), red.gpus())).containsExactly(1, 1, 2);
    fair.runTransitions().end(entry(fair, "b"), Outcome.CANCELLED);
    assertThat(List.of(red.waiting(), red.running(), red.gpus())).containsExactly(0, 1, 2);
    submit(fair, job("d", 1).queue("red"));
    assertThat(entry(fair, "d").queue()).isEqualTo(entry(fair, "a").queue());
    assertThat(entry(fair, "d").queue()).isNotEqualTo(entry(fair, "c").queue());
  }

  @Test
  void gpusBeingGivenUpDoNotCountAfterAChangeOfTree() {
    JobTable sized =
        new JobTable(
            empty(),
            Policies.fairShare(),
            RULES,
            null,
            Duration.ZERO,
            new EndedJobs(10),
            false,
            false,
            false);
    sized.reviews().advance(NOW);
    submit(sized, job("a", 4).parallelism(Parallelism.between(1, 4, 4)).queue("red"));
    JobEntry job = entry(sized, "a");
    sized.runTransitions().start(job, Entries.on("a", "n0", 0, 1, 2, 3));
    sized.runTransitions().resize(job, Entries.on("a", "n0", 0, 1));
    assertThat(List.of(job.gpus(), job.queue().gpus())).containsExactly(4, 2);

    sized.queues().change(QueueTree.of(QueueSpec.named("red")));
    assertThat(List.of(job.gpus(), job.queue().gpus())).containsExactly(4, 2);
    sized.runTransitions().resized(job);
    assertThat(List.of(job.gpus(), job.queue().gpus())).containsExactly(2, 2);
    sized.runTransitions().evict(job);
    assertThat(List.of(job.gpus(), job.queue().gpus())).containsExactly(0, 0);
  }

  @Test
  void theQueuesOfACopyAreItsOwn() {
    JobTable fair = table(Policies.fairShare(), false);
    fair.reviews().advance(NOW);
    submit(fair, job("a", 2).queue("red"));
    submit(fair, job("b", 1).queue("red"));
    JobQueue red = entry(fair, "a").queue();
    JobTable copy = copy(fair);

    copy.runTransitions().start(entry(copy, "a"), Entries.on("a", "n0", 0, 1));

    assertThat(List.of(red.waiting(), red.gpus())).containsExactly(2, 0);
    JobQueue copied = entry(copy, "a").queue();
    assertThat(List.of(copied.waiting(), copied.gpus())).containsExactly(1, 2);
    assertThat(entry(copy, "b").queue()).isSameAs(copied);
  }

  @Test
  void aRestoredRunThatIsLongEnoughIsNotProtected() {
    PreemptionRules rules = PreemptionRules.NONE.minRunTime(MINUTE);
    JobTable restored =
        new JobTable(
            empty(),
            Policies.priority(),
            rules,
            null,
            null,
            new EndedJobs(10),
            false,
            false,
            false);
    restored.restoreClock(NOW, table.submissions());
    restored.restore(saved(entry(table, "r1")), restored.cluster()::apply);

    assertThat(restored.running().mayBePreempted(entry(restored, "r1"))).isTrue();
  }

  @Test
  void aReportThatChangesNoRankIsNoGrowth() {
    table.reviews().progress(entry(table, "r1"), AN_HOUR_LEFT);
    assertThat(table.agenda().hasGrown()).isTrue();
    table.agenda().settle();

    table.reviews().progress(entry(table, "r1"), AN_HOUR_LEFT);

    assertThat(table.agenda().hasGrown()).isFalse();
  }

  @Test
  void growthEverywhereHelpsEveryJob() {
    table.agenda().growEverywhere(table.cluster().topology());

    assertThat(table.agenda().hasRelearned()).isTrue();
    assertThat(table.agenda().grownNodes().stream()).containsExactly(0, 1);
  }

  private static List<String> ids(List<JobEntry> jobs) {
    return jobs.stream().map(job -> job.id().value()).toList();
  }

  private static JobEntry saved(JobEntry job) {
    return job.save().read(JobEntry::load);
  }

  private static void fill(JobTable table) {
    table.reviews().advance(NOW.minusSeconds(4000));
    submit(table, job("r1", 2));
    submit(table, job("r2", 2));
    table.runTransitions().start(eligible(table, "r1"), Entries.on("r1", "n0", 0, 1));
    table.runTransitions().start(eligible(table, "r2"), Entries.on("r2", "n1", 0, 1));
    submit(table, job("s", 1));
    submit(table, job("w", 1));
    submit(table, job("h", 1));
    submit(table, job("p", 1));
    table.runTransitions().start(eligible(table, "s"), Entries.on("s", "n0", 2));
    eligible(table, "w");
    table.reviews().advance(NOW);
    table.runTransitions().preempt(entry(table, "s"));
    table.waitingTransitions().delay(entry(table, "h"), Duration.ofSeconds(90));
    table.batched().request(NOW, new WindowPhase.Gathering(NOW));
    table.agenda().parkHead(entry(table, "w"));
    table.agenda().settle();
    table.queues().settle();
  }

  private static JobEntry eligible(JobTable table, String job) {
    table.waitingTransitions().makeEligible(entry(table, job));
    return entry(table, job);
  }

  private static Shown shown(JobTable table) {
    List<JobEntry> running = table.running().inOrder();
    List<JobEntry> waiting = table.allWaiting();
    Map<NodeId, List<JobId>> byNode = new LinkedHashMap<>();
    List<Integer> freeGpus = new ArrayList<>();
    for (Node node : table.cluster().topology().nodes()) {
      byNode.put(node.id(), table.running().on(node.id()).stream().map(JobEntry::id).toList());
      freeGpus.add(table.cluster().freeGpus(node.id()));
    }
    Map<JobId, Membership> parked = new LinkedHashMap<>();
    for (JobEntry job : waiting) {
      @Nullable Membership stage = table.batched().stage(job);
      if (stage != null) {
        parked.put(job.id(), stage);
      }
    }
    Map<JobId, Outcome> ended = new LinkedHashMap<>();
    table.ended().forEach(ended::put);
    return new Shown(
        table.now(),
        table.submissions(),
        running.stream().map(JobEntry::save).toList(),
        byNode,
        waiting.stream().map(JobEntry::save).toList(),
        Stream.concat(running.stream(), waiting.stream()).map(JobEntry::rank).toList(),
        table.eligible().ids(),
        parked,
        table.batched().gathered(),
        table.delayed().inOrder().stream().map(JobEntry::id).toList(),
        table.batched().phase(),
        table.batched().requests(),
        ended,
        Optional.ofNullable(table.agenda().parkedHead())
            .map(JobEntry::id)
            .filter(job -> table.find(job) != null),
        table.reviews().nextReview(List.of()),
        freeGpus);
  }

  @Test
  void aJobParkedAgainIsNotTried() {
    JobTable table = table(Policies.fifo(), true);
    submit(table, job("w", 1));
    table.waitingTransitions().makeEligible(entry(table, "w"));

    table.waitingTransitions().update(entry(table, "w"), job("w", 2).build());

    assertThat(table.eligible().byClass().ready().isEmpty()).isTrue();
    assertThat(table.eligible().ids()).isEmpty();
  }

  private static JobEntry entry(JobTable table, String job) {
    return table.get(JobId.of(job));
  }

  private static void submit(JobTable table, JobSpec.Builder job) {
    JobSpec spec = job.build();
    table.waitingTransitions().submit(spec, new PlacementClass(spec));
  }

  private static JobSpec.Builder job(String id, int gpus) {
    return JobSpec.builder(id)
        .gpus(gpus)
        .expectedWork(ExpectedWork.ofDuration(Duration.ofHours(3)));
  }

  private static JobSpec without(String node) {
    return job("w", 1).excludeNodes(List.of(node)).build();
  }

  private static JobTable table(SchedulingPolicy policy, boolean batches) {
    return new JobTable(
        empty(), policy, RULES, null, null, new EndedJobs(10), batches, false, false);
  }

  private static ClusterState empty() {
    return ClusterState.of(ClusterTopology.builder().node(node("n0")).node(node("n1")).build());
  }

  private static Node node(String id) {
    return Node.builder(id).gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build();
  }
}
