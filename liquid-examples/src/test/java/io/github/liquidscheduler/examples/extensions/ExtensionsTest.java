package io.github.liquidscheduler.examples.extensions;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.LiveCluster;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an embedder plugs in decides. */
class ExtensionsTest {

  private static final List<String> EXAMPLES =
      List.of(
          "ProductionFirst",
          "SpotFirst",
          "PayLeast",
          "MeasuredPairs",
          "MemoryToSpare",
          "LargestFirst");
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void anOwnPlacerSendsJobsThatMayBeStoppedToSpotNodes() {
    Scheduler scheduler =
        LiquidScheduler.builder(ownedAndSpot())
            .policy(Policies.fifo())
            .placer(new SpotFirst())
            .build();

    assertThat(submit(scheduler, JobSpec.builder("a").gpus(2).preemptible(true)))
        .containsExactly("a on [spot]");
    assertThat(submit(scheduler, JobSpec.builder("b").gpus(2).preemptible(false)))
        .containsExactly("b on [owned]");
    assertThat(submit(scheduler, JobSpec.builder("c").gpus(2).preemptible(true)))
        .containsExactly("c on [spot]");
  }

  @Test
  void anOwnPolicyOrdersQueuesAndJobs() {
    Scheduler scheduler =
        LiquidScheduler.builder(nodes(1, 8)).policy(new ProductionFirst()).build();
    submit(scheduler, JobSpec.builder("running").gpus(8));
    submit(scheduler, JobSpec.builder("test").gpus(1).queue("test"));
    submit(scheduler, JobSpec.builder("large").gpus(8).queue("production"));
    submit(scheduler, JobSpec.builder("small").gpus(4).queue("production"));

    assertThat(scheduler.waiting())
        .extracting(JobId::value)
        .containsExactly("small", "large", "test");
  }

  @Test
  void anOwnPredictorDecidesWhoSharesAGpu() {
    Map<String, Double> measured =
        Map.of("ResNet-50 beside BERT", 0.9, "BERT beside ResNet-50", 0.85);
    Scheduler scheduler = sharing(PredictedSlowdownRule.of(new MeasuredPairs(measured)));

    assertThat(submit(scheduler, shared("a", "ResNet-50", 4))).containsExactly("a on [node-0]");
    assertThat(submit(scheduler, shared("b", "ResNet-50", 4))).isEmpty();
    assertThat(submit(scheduler, shared("c", "BERT", 4))).containsExactly("c on [node-0]");
  }

  @Test
  void anOwnColocationPolicyDecidesWhoSharesAGpu() {
    Scheduler scheduler = sharing(new MemoryToSpare());

    submit(scheduler, shared("a", "ResNet-50", 10));
    assertThat(submit(scheduler, shared("b", "ResNet-50", 5))).isEmpty();
    assertThat(submit(scheduler, shared("c", "ResNet-50", 4))).containsExactly("c on [node-0]");
  }

  @Test
  void anOwnPlannerAnswersTheSchedulersQuestions() {
    Scheduler scheduler =
        LiquidScheduler.builder(nodes(1, 8))
            .policy(Policies.bestEffortFifo())
            .batch(BatchWindow.of(Duration.ofMinutes(1)).maxJobs(3).bypassLimit(3))
            .build();
    List<Decision> decisions = new ArrayList<>();
    for (int gpus : List.of(2, 3, 6)) {
      JobSpec job = JobSpec.builder("of-" + gpus).gpus(gpus).build();
      decisions.addAll(scheduler.on(new ClusterEvent.JobSubmitted(NOON, job)));
    }
    PlanRequest question = ((Decision.RequestPlan) decisions.getLast()).request();

    BatchPlan plan = new LargestFirst().plan(question);

    assertThat(started(scheduler.on(new ClusterEvent.PlanProposed(NOON, plan))))
        .containsExactlyInAnyOrder("of-6 on [node-0]", "of-2 on [node-0]");
  }

  @Test
  void aLiveClusterGoesOnFromAnyView() {
    Scheduler scheduler = LiquidScheduler.builder(nodes(1, 8)).policy(Policies.fifo()).build();
    submit(scheduler, JobSpec.builder("a").gpus(2));

    LiveCluster cluster = LiveCluster.copyOf(scheduler.view());
    cluster.stop(JobId.of("a"));

    assertThat(cluster.freeGpus()).isEqualTo(8);
    assertThat(scheduler.view().runningJobs()).containsExactly(JobId.of("a"));
  }

  @Test
  void eachExampleTakesLessThanFortyLines() throws IOException {
    for (String example : EXAMPLES) {
      List<String> lines =
          Files.readAllLines(
              Path.of(
                  "src/main/java/io/github/liquidscheduler/examples/extensions",
                  example + ".java"));
      assertThat(lines)
          .as(example)
          .filteredOn(line -> !line.isBlank() && !line.startsWith("import "))
          .hasSizeLessThan(40);
    }
  }

  private static Scheduler sharing(ColocationPolicy policy) {
    return LiquidScheduler.builder(nodes(1, 1))
        .policy(Policies.bestEffortFifo())
        .colocation(Colocation.builder(policy).build())
        .build();
  }

  private static JobSpec.Builder shared(String id, String family, long gib) {
    ResourceRequest request =
        ResourceRequest.builder().gpus(1).gpuMemory(Memory.ofGib(gib)).build();
    return JobSpec.builder(id)
        .role("worker", 1, request)
        .workload(Workload.builder(family).build())
        .sharing(new Sharing.Opportunistic());
  }

  private static List<String> submit(Scheduler scheduler, JobSpec.Builder job) {
    return started(scheduler.on(new ClusterEvent.JobSubmitted(NOON, job.build())));
  }

  private static List<String> started(List<Decision> decisions) {
    return decisions.stream()
        .filter(Decision.Start.class::isInstance)
        .map(decision -> ((Decision.Start) decision).placement())
        .map(placement -> placement.job() + " on " + placement.nodes())
        .toList();
  }

  private static ClusterTopology ownedAndSpot() {
    GpuModel model = GpuModel.of("A100");
    return ClusterTopology.builder()
        .node(Node.builder("owned").gpus(4, model, Memory.ofGib(40)).build())
        .node(
            Node.builder("spot")
                .gpus(8, model, Memory.ofGib(40))
                .label("lifecycle", "spot")
                .build())
        .build();
  }

  private static ClusterTopology nodes(int nodes, int gpus) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int n = 0; n < nodes; n++) {
      cluster.node(
          Node.builder("node-" + n).gpus(gpus, GpuModel.of("V100"), Memory.ofGib(16)).build());
    }
    return cluster.build();
  }
}
