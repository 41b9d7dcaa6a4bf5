package io.github.liquidscheduler.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.JobStatus;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code of docs/migration.md. */
class MigrationTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @ParameterizedTest
  @ValueSource(strings = {"together", "status", "policy"})
  void thePageShowsCodeThatCompiles(String region) throws IOException {
    assertThat(ExamplesTest.read("docs/migration.md"))
        .contains(
            "```java\n"
                + ExamplesTest.regionOf(
                    "liquid-examples/src/test/java/io/github/liquidscheduler/examples/MigrationTest.java",
                    region)
                + "\n```");
  }

  @Test
  void whatWasRefusedGoesTogether() {
    LiquidScheduler scheduler = together(nodes());

    scheduler.on(new ClusterEvent.JobSubmitted(NOON, JobSpec.builder("a").gpus(2).build()));

    assertThat(inShort(scheduler.status(JobId.of("a")).orElseThrow())).isEqualTo("runs");
  }

  @Test
  void theNewestJobStartsFirst() {
    LiquidScheduler scheduler = LiquidScheduler.builder(nodes()).policy(new NewestFirst()).build();
    scheduler.on(new ClusterEvent.JobSubmitted(NOON, JobSpec.builder("runs").gpus(4).build()));
    scheduler.on(
        new ClusterEvent.JobSubmitted(
            NOON.plusSeconds(1), JobSpec.builder("older").gpus(4).build()));
    scheduler.on(
        new ClusterEvent.JobSubmitted(
            NOON.plusSeconds(2), JobSpec.builder("newer").gpus(4).build()));

    assertThat(scheduler.waiting()).containsExactly(JobId.of("newer"), JobId.of("older"));
  }

  private static LiquidScheduler together(ClusterTopology cluster) {
    // @start region="together"
    LiquidScheduler scheduler =
        LiquidScheduler.builder(cluster)
            .policy(Policies.priority())
            .backfill(Backfill.easy())
            .elasticity(Elasticity.by(SizingPolicy.marginalGain()).preemptToGrow().build())
            .preemption(PreemptionRules.NONE.moving(2))
            .startsPerEvent(100)
            .build();
    // @end
    return scheduler;
  }

  private static String inShort(JobStatus status) {
    // @start region="status"
    String inShort =
        switch (status) {
          case JobStatus.Waiting waiting -> "waits";
          case JobStatus.Starting starting -> "starts once " + starting.after() + " have left";
          case JobStatus.Launching launching -> "is being started";
          case JobStatus.Running running -> "runs";
          case JobStatus.Resizing resizing -> "changes its size";
          case JobStatus.Moving moving -> "moves once " + moving.after() + " have left";
          case JobStatus.Stopping stopping -> "stops by " + stopping.until();
          case JobStatus.Ended ended -> "has ended";
        };
    // @end
    return inShort;
  }

  // @start region="policy"
  /** The newest job first. */
  static final class NewestFirst implements SchedulingPolicy {

    @Override
    public String name() {
      return "newest-first";
    }

    @Override
    public PolicyState policyState(JobView job) {
      return job.policyState();
    }

    @Override
    public long rank(JobView job) {
      return -job.submittedAt().getEpochSecond();
    }

    @Override
    public boolean allowsBypass() {
      return true;
    }
  }

  // @end

  private static ClusterTopology nodes() {
    return ClusterTopology.builder()
        .node(Node.builder("n0").gpus(4, GpuModel.of("A100"), Memory.ofGib(40)).build())
        .build();
  }
}
