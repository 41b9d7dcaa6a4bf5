package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that hold no GPUs attain the time of those that they may keep from others. */
class LeastServiceWithoutGpusTest {

  private static final List<Duration> THRESHOLDS =
      List.of(Duration.ofSeconds(400), Duration.ofSeconds(1000));

  private final Session session = session(aNode(8));

  @Test
  void aTaskCountsAsTheGpusOfItsNodeTimesItsDominantShare() {
    session.submit(job("cpu", 1, request(0, 48, 100)));
    session.submit(job("waits", 1, request(8, 96, 100)));

    // Half of the cores are half of eight GPUs.
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(100));
    assertThat(session.at(99).pass()).isEmpty();
    assertThat(session.at(100).pass()).containsExactly("preempt cpu", "start waits");
    assertThat(session.record("cpu").attained()).isEqualTo(Duration.ofSeconds(400));
  }

  @Test
  void allTasksCountAndMemoryMayBeDominant() {
    session.submit(job("cpu", 2, request(0, 1, 256)));
    session.submit(job("waits", 1, request(8, 96, 100)));

    assertThat(session.at(100).pass()).containsExactly("preempt cpu", "start waits");
  }

  @Test
  void jobsWithGpusCountAsTheseAlone() {
    session.submit(job("gpu", 1, request(1, 96, 1024)));
    session.submit(job("waits", 1, request(8, 96, 100)));

    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(400));
  }

  @Test
  void aNodeWithoutGpusCountsAsOneOfOne() {
    Session hosts = session(aNode(0));
    hosts.submit(job("first", 1, request(0, 48, 100)));
    hosts.submit(job("waits", 1, request(0, 96, 100)));

    assertThat(hosts.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(800));
    assertThat(hosts.at(800).pass()).containsExactly("preempt first", "start waits");
  }

  @Test
  void itLosesItsPlaceForGoodOnceItHasHadItsShare() {
    session.submit(job("cpu", 1, request(0, 96, 100)));
    session.submit(job("a", 1, request(8, 8, 100)));
    assertThat(session.at(50).pass()).containsExactly("preempt cpu", "start a");

    assertThat(session.at(60).submit(job("b", 1, request(8, 8, 100)))).isEmpty();
    assertThat(session.at(100).pass()).containsExactly("preempt a", "start b");
    // All three are in the second level now, and b comes to the third first.
    assertThat(session.at(150).pass()).isEmpty();
    assertThat(session.at(225).pass()).containsExactly("preempt b", "start cpu");
  }

  @Test
  void itStarvesInProportionToTheTimeThatItRan() {
    Session promoting =
        new Session(
            LiquidScheduler.builder(aNode(8))
                .policy(Policies.leastAttainedServiceWithPromotion(THRESHOLDS, 2.0))
                .build());
    promoting.submit(job("cpu", 1, request(0, 48, 100)));
    promoting.at(100).submit(job("gpu", 1, request(4, 96, 100)));

    // It has waited from 100 for twice the 100 s that it ran.
    assertThat(promoting.at(299).pass()).isEmpty();
    assertThat(promoting.at(300).pass()).containsExactly("preempt gpu", "start cpu");
    assertThat(promoting.record("cpu").policyState().forgiven()).isEqualTo(Duration.ofSeconds(400));
  }

  @Test
  void aRestoredSchedulerGoesOnCounting() {
    session.submit(job("cpu", 1, request(0, 48, 100)));
    session.submit(job("waits", 1, request(8, 96, 100)));
    Session restored =
        new Session(
            LiquidScheduler.builder(aNode(8))
                .policy(Policies.leastAttainedService(THRESHOLDS))
                .restore(session.scheduler.snapshot()));

    assertThat(restored.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(100));
    assertThat(restored.at(100).pass()).containsExactly("preempt cpu", "start waits");
  }

  private static Session session(ClusterTopology cluster) {
    return new Session(
        LiquidScheduler.builder(cluster).policy(Policies.leastAttainedService(THRESHOLDS)).build());
  }

  private static ClusterTopology aNode(int gpus) {
    Node node =
        Node.builder("n0")
            .gpus(gpus, GpuModel.of("V100"), Memory.ofGib(16))
            .cpu(CpuCores.of(96))
            .memory(Memory.ofGib(1024))
            .build();
    return ClusterTopology.builder().node(node).build();
  }

  private static JobSpec.Builder job(String id, int tasks, ResourceRequest request) {
    return JobSpec.builder(id).role("worker", tasks, request);
  }

  private static ResourceRequest request(int gpus, int cores, int gib) {
    return ResourceRequest.builder()
        .gpus(gpus)
        .cpu(CpuCores.of(cores))
        .memory(Memory.ofGib(gib))
        .build();
  }
}
