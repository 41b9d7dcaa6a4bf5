package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.DeadlineWorld.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.performance.GpuSpeedTable;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deadlines on GPUs of two models, one half as fast as the other. */
class DeadlineSpeedsTest {

  private static final GpuModel FAST = GpuModel.of("A100");
  private static final GpuModel SLOW = GpuModel.of("V100");

  private static DeadlineWorld world(Performance performance) {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("n0").gpus(2, SLOW, Memory.ofGib(16)).build())
            .node(Node.builder("n1").gpus(2, FAST, Memory.ofGib(16)).build())
            .build();
    return new DeadlineWorld(
        LiquidScheduler.builder(cluster)
            .policy(Policies.bestEffortFifo())
            .performance(performance)
            .elasticity(
                Elasticity.by(SizingPolicy.marginalGain()).deadlines(LateJobs.REFUSE).build())
            .build(),
        tasks -> tasks,
        0,
        0.5);
  }

  private static Performance speeds() {
    return Performance.by(
        GpuSpeedTable.builder().speed("any", FAST, 2).speed("any", SLOW, 1).build());
  }

  private static JobSpec.Builder job(String id, int gpus, long seconds) {
    return JobSpec.builder(id)
        .gpus(gpus)
        .workload(Workload.builder("any").build())
        .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)));
  }

  @Test
  void aPromiseCountsOnTheSlowestGpusThatTheJobMayGet() {
    DeadlineWorld world = world(speeds());
    world.arrive(0, job("a", 2, 100).deadline(at(150)).build());
    world.arrive(0, job("b", 2, 100).deadline(at(200)).build());
    world.arrive(0, job("c", 1, 100).deadline(at(150)).gpuModels(List.of(FAST)).build());

    world.playUntil(0);

    assertThat(world.rejected()).containsOnlyKeys(JobId.of("a"));
  }

  @Test
  void whatEndsSoonerOnFasterGpusBringsPromisedStartsForward() {
    DeadlineWorld world = world(speeds());
    world.arrive(0, job("a", 2, 100).deadline(at(200)).build());
    world.arrive(1, job("b", 2, 100).deadline(at(201)).build());
    world.arrive(2, job("c", 2, 100).deadline(at(405)).build());

    world.play();

    assertThat(world.told()).containsExactly("a 2 at 0", "b 2 at 1", "c 2 at 100");
    assertThat(world.end("b")).isEqualTo(at(201));
  }

  @Test
  void aPromisedJobMovesToFasterGpusAndTradesThemWithNobody() {
    DeadlineWorld world = world(speeds().moving(Duration.ofSeconds(1)));
    world.arrive(0, job("bulk", 2, 500).build());
    world.arrive(1, job("a", 2, 1000).deadline(at(2001)).build());
    world.arrive(2, job("short", 2, 20).build());

    world.play();

    assertThat(world.told())
        .containsExactly("bulk 2 at 0", "a 2 at 1", "short 2 at 500", "a 2 at 520");
    assertThat(world.end("a")).isBefore(at(1300));
  }
}
