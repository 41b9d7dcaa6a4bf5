package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleGroup;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs whose roles start with a minimum and get larger, on nodes of some GPUs. */
class RoleMinimumsTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void aJobStartsAtTheLargestFittingSizeSplitAmongItsRoles() {
    Scheduler scheduler = scheduler(Elasticity.by(SizingPolicy.marginalGain()), 5);

    submit(scheduler, "j", 0, role("a", 4).atLeast(1), role("b", 4).atLeast(1));

    assertThat(tasks(scheduler, "j")).containsExactly(3, 2);
  }

  @Test
  void whereJobsStartSmallAllStartBeforeAnyGetsLarger() {
    Scheduler scheduler = scheduler(small(), 5);

    submit(scheduler, "j", 0, role("a", 2).atLeast(1), role("b", 2).atLeast(1));
    submit(scheduler, "k", 0, role("a", 2).atLeast(1), role("b", 2).atLeast(1));
    later(scheduler);

    assertThat(tasks(scheduler, "j")).containsExactly(2, 1);
    assertThat(tasks(scheduler, "k")).containsExactly(1, 1);
  }

  @Test
  void noJobStartsUnlessEachRoleHasItsMinimum() {
    Scheduler scheduler = scheduler(Elasticity.by(SizingPolicy.marginalGain()), 4);

    submit(scheduler, "first", 0, role("a", 1));
    submit(scheduler, "j", 0, role("a", 4).atLeast(1), role("b", 3));

    assertThat(scheduler.waiting()).containsExactly(JobId.of("j"));
    assertThat(scheduler.explain(JobId.of("j")).unmetConstraints()).isNotEmpty();
  }

  @Test
  void aQueueLosesWhatRolesHaveBeyondTheirMinimumsBeforeAWholeJob() {
    Scheduler scheduler = scheduler(Elasticity.by(SizingPolicy.marginalGain()), 4);
    QueueTree queues =
        QueueTree.of(
            QueueSpec.named("default").withGpus(0), QueueSpec.named("research").withGpus(2));
    scheduler.on(new ClusterEvent.QueuesChanged(START, queues));
    submit(scheduler, "j", 0, role("a", 2).atLeast(1), role("b", 2).atLeast(1));

    JobSpec late = JobSpec.builder("k").queue("research").gpus(2).build();
    scheduler.on(new ClusterEvent.JobSubmitted(START.plusSeconds(100), late));

    assertThat(tasks(scheduler, "j")).containsExactly(1, 1);
    assertThat(tasks(scheduler, "k")).containsExactly(2);
  }

  @Test
  void aGroupStartsPartiallyAndCompletesWhenCapacityAllows() {
    Scheduler scheduler = scheduler(small(), 4);
    JobSpec job =
        JobSpec.builder("j")
            .role(role("first", 2))
            .role(role("second", 2))
            .group(RoleGroup.of("replicas", "first", "second").atLeast(1))
            .build();

    scheduler.on(new ClusterEvent.JobSubmitted(START, job));
    assertThat(tasks(scheduler, "j")).containsExactly(2, 0);
    later(scheduler);

    assertThat(tasks(scheduler, "j")).containsExactly(2, 2);
  }

  @Test
  void aSnapshotKeepsRolesGroupsAndSizes() {
    Scheduler scheduler = scheduler(small(), 5);
    submit(scheduler, "j", 0, role("a", 2).atLeast(1), role("b", 2).atLeast(1));
    later(scheduler);

    assertThat(scheduler.copy().snapshot()).isEqualTo(scheduler.snapshot());
    assertThat(scheduler.job(JobId.of("j")).orElseThrow().roles().getFirst().min()).isEqualTo(1);
  }

  @Test
  void toStartSmallIsAmongTheParametersAndNotForBatches() {
    Elasticity elasticity = small().build();
    LiquidScheduler.Builder options =
        LiquidScheduler.builder(Session.cluster(4))
            .policy(Policies.fifo())
            .batch(BatchWindow.of(Duration.ofSeconds(30)))
            .elasticity(elasticity);

    assertThat(elasticity.parameters()).containsEntry("startsSmall", "true");
    assertThatIllegalStateException()
        .isThrownBy(options::build)
        .withMessage(
            "jobs that start at their smallest sizes are not supported yet together with batch"
                + " mode");
  }

  private static Elasticity.Builder small() {
    return Elasticity.by(SizingPolicy.marginalGain()).startSmall();
  }

  private static Scheduler scheduler(Elasticity.Builder elasticity, int gpus) {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("n").gpus(gpus, GpuModel.of("A100"), Memory.ofGib(40)).build())
            .build();
    return LiquidScheduler.builder(cluster)
        .policy(Policies.priority())
        .elasticity(
            elasticity.coolDown(Duration.ofSeconds(10)).worthwhile(0).cost(ResizeCost.NONE).build())
        .build();
  }

  private static void submit(Scheduler scheduler, String id, int seconds, TaskRole... roles) {
    JobSpec job = JobSpec.builder(id).roles(List.of(roles)).build();
    scheduler.on(new ClusterEvent.JobSubmitted(START.plusSeconds(seconds), job));
  }

  private static void later(Scheduler scheduler) {
    scheduler.on(new ClusterEvent.TimePassed(START.plusSeconds(60)));
  }

  private static TaskRole role(String name, int count) {
    return new TaskRole(name, count, ResourceRequest.ofGpus(1));
  }

  private static List<Integer> tasks(Scheduler scheduler, String id) {
    JobSpec job = scheduler.job(JobId.of(id)).orElseThrow();
    return scheduler.status(job.id()).map(RoleMinimumsTest::place).orElseThrow().tasksOf(job);
  }

  private static Placement place(JobStatus status) {
    return switch (status) {
      case JobStatus.Starting now -> now.placement();
      case JobStatus.Running now -> now.placement();
      case JobStatus.Resizing now -> now.next();
      default -> throw new AssertionError(status);
    };
  }
}
