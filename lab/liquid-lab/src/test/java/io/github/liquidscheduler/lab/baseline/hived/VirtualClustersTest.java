package io.github.liquidscheduler.lab.baseline.hived;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.lab.baseline.BaselinePlacers;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class VirtualClustersTest {

  private static final VirtualClusters CLUSTERS =
      VirtualClusters.builder().cells("research", 1, 4).cells("product", 4, 2).build();

  private final LiquidScheduler scheduler = scheduler();
  private long second;

  @Test
  void aQueueRunsWithinItsCellsAndNotBeyond() {
    submit(guaranteed("r1", "research", 3, 1));
    submit(guaranteed("r2", "research", 1, 1));
    submit(guaranteed("r3", "research", 1, 1));

    assertThat(isRunning("r1")).isTrue();
    assertThat(isRunning("r2")).isTrue();
    assertThat(isRunning("r3")).isFalse();
    assertThat(scheduler.explain(JobId.of("r3")).unmetConstraints().get(0).describe())
        .isEqualTo(
            "GPUS (cells of the virtual cluster 'research'): requested 1 GPU, available 0 GPUs");
  }

  @Test
  void aJobThatIsLargerThanItsCellsIsRejected() {
    List<Decision> decisions = submit(guaranteed("wide", "research", 1, 2));

    assertThat(decisions).singleElement().isInstanceOf(Decision.Reject.class);
    assertThat(submit(guaranteed("stranger", "nobody", 1, 1)))
        .singleElement()
        .isInstanceOf(Decision.Reject.class);
  }

  @Test
  void smallJobsLeaveTheLargeCellsOfOthersWhole() {
    for (int job = 0; job < 4; job++) {
      submit(guaranteed("r" + job, "research", 1, 1));
    }
    submit(guaranteed("p0", "product", 2, 4));

    assertThat(isRunning("p0")).isTrue();
  }

  @Test
  void opportunisticJobsUseTheRestAndAreTheFirstToGo() {
    submit(opportunistic("spare", 12));
    assertThat(isRunning("spare")).isTrue();

    List<Decision> decisions = submit(guaranteed("p0", "product", 1, 4));

    assertThat(decisions.get(0)).isInstanceOf(Decision.Preempt.class);
    assertThat(isRunning("p0")).isTrue();
    assertThat(isRunning("spare")).isFalse();
  }

  @Test
  void aPlanKeepsAQueueWithinItsCellsToo() {
    VirtualClusters halves = VirtualClusters.builder().cells("a", 1, 1).cells("b", 1, 1).build();
    ClusterTopology two =
        ClusterTopology.builder()
            .node(Node.builder("n0").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build())
            .build();
    LiquidScheduler batch =
        LiquidScheduler.builder(two)
            .policy(Policies.guaranteedFirst())
            .placer(halves.placerFor(two))
            .batch(BatchWindow.of(Duration.ZERO))
            .build();
    Instant at = Instant.EPOCH;
    List<Decision> decisions = new ArrayList<>();
    for (String id : List.of("b1", "b2")) {
      decisions.addAll(
          batch.on(new ClusterEvent.JobSubmitted(at, guaranteed(id, id.substring(0, 1), 1, 1))));
      Decision.RequestPlan asked = (Decision.RequestPlan) decisions.removeLast();
      BatchPlan plan = BatchPlanners.greedy().plan(asked.request());
      assertThat(plan.starts()).hasSize(1);
      batch.on(new ClusterEvent.PlanProposed(at, plan));
    }
    batch.on(new ClusterEvent.JobSubmitted(at, guaranteed("a1", "a", 1, 1)));
    batch.on(new ClusterEvent.TimePassed(at.plusSeconds(60)));

    assertThat(batch.view().runningJobs()).containsExactly(JobId.of("b1"), JobId.of("a1"));
    assertThat(batch.waiting()).containsExactly(JobId.of("b2"));
  }

  @Test
  void cellsThatTheClusterDoesNotHaveAreRefused() {
    VirtualClusters tooMany = VirtualClusters.builder().cells("a", 4, 4).build();

    assertThatThrownBy(() -> tooMany.placerFor(cluster()))
        .hasMessageStartingWith(
            "virtual clusters must fit on the cluster together, but cells of 4 GPUs do not");
    assertThatThrownBy(() -> VirtualClusters.builder().cells("a", 3, 1))
        .hasMessage("a cell must have 1, 2, 4, … GPUs, at most 1024, but had 3, for queue 'a'");
    assertThatThrownBy(() -> VirtualClusters.builder().cells("a", 4, 1).cells("a", 2, 1))
        .hasMessage("a queue must have cells of one size, but got some twice: 'a'");
    assertThatThrownBy(() -> VirtualClusters.builder().cells("a", 4, 0))
        .hasMessage("cells must be from 1 to 1000000, but were 0, for queue 'a'");
  }

  /** The promise of HiveD: what others do never keeps a co-runner key from its cells. */
  @Property(tries = 200)
  void aQueueAlwaysGetsItsCellsWhateverOthersDo(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    VirtualClustersTest fresh = new VirtualClustersTest();
    List<String> running = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      String id = "j" + step;
      switch (random.nextInt(5)) {
        case 0 -> fresh.submit(guaranteed(id, "research", random.nextInt(1, 4), 1));
        case 1 -> fresh.submit(opportunistic(id, random.nextInt(1, 6)));
        case 2 -> fresh.finishOne(random);
        case 3 -> fresh.planCarelessly(random);
        default -> {
          running.removeIf(job -> !fresh.isRunning(job));
          if (running.size() < 2) {
            fresh.submit(guaranteed(id, "product", 1, random.nextInt(3, 5)));
            assertThat(fresh.isRunning(id)).as("%s", id).isTrue();
            running.add(id);
          }
        }
      }
      assertThat(running).allMatch(fresh::isRunningOrFinished);
    }
  }

  private final List<String> finished = new ArrayList<>();

  private boolean isRunningOrFinished(String job) {
    return isRunning(job) || finished.contains(job);
  }

  private void finishOne(Random random) {
    List<JobId> running = scheduler.view().runningJobs();
    if (!running.isEmpty()) {
      JobId job = running.get(random.nextInt(running.size()));
      finished.add(job.value());
      scheduler.on(new ClusterEvent.JobFinished(Instant.ofEpochSecond(++second), job));
    }
  }

  /** Proposes a plan that knows nothing of cells: starts who waits and moves one who runs. */
  private void planCarelessly(Random random) {
    ClusterView view = scheduler.view();
    PlanRequest request =
        PlanRequest.builder(view)
            .pending(
                scheduler.waiting().stream().flatMap(id -> scheduler.job(id).stream()).toList())
            .build();
    BatchPlan greedy = BatchPlanners.greedy().plan(request);
    List<JobId> running = view.runningJobs();
    List<Migration> moves = new ArrayList<>();
    if (!running.isEmpty()) {
      JobSpec moved = scheduler.job(running.get(random.nextInt(running.size()))).orElseThrow();
      BaselinePlacers.named("random", random.nextLong())
          .place(view, moved)
          .ifPresent(to -> moves.add(new Migration(moved.id(), to, 1, 2)));
    }
    scheduler.on(
        new ClusterEvent.PlanProposed(
            Instant.ofEpochSecond(++second),
            new BatchPlan(0, greedy.starts(), moves, greedy.postponed(), greedy.certificate())));
  }

  private List<Decision> submit(JobSpec job) {
    return scheduler.on(new ClusterEvent.JobSubmitted(Instant.ofEpochSecond(++second), job));
  }

  private boolean isRunning(String job) {
    return scheduler.view().placement(JobId.of(job)).isPresent();
  }

  private static JobSpec guaranteed(String id, String queue, int tasks, int gpus) {
    return JobSpec.builder(id)
        .queue(queue)
        .role("worker", tasks, ResourceRequest.ofGpus(gpus))
        .build();
  }

  private static JobSpec opportunistic(String id, int gpus) {
    return JobSpec.builder(id).gpus(gpus).sharing(new Sharing.Opportunistic()).build();
  }

  private static LiquidScheduler scheduler() {
    return LiquidScheduler.builder(cluster())
        .policy(Policies.guaranteedFirst())
        .placer(CLUSTERS.placerFor(cluster()))
        .build();
  }

  private static ClusterTopology cluster() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < 3; node++) {
      cluster.node(Node.builder("n" + node).gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build());
    }
    return cluster.build();
  }
}
