package io.github.liquidscheduler.lab.reference.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class BackfillSimulatorTest {

  private static final Trace THREE =
      Trace.of("test", List.of(job("a", 3, 0, 10), job("b", 4, 1, 5), job("c", 1, 2, 8)));

  private static TraceJob job(String id, int gpus, long submit, long duration) {
    return TraceJob.builder(id)
        .gpus(gpus)
        .submit(Duration.ofSeconds(submit))
        .duration(Duration.ofSeconds(duration))
        .build();
  }

  private static Node node(String id, int gpus, String rack) {
    return Node.builder(id).gpus(gpus, GpuModel.of("P100"), Memory.ofGib(16)).domain(rack).build();
  }

  private static BackfillSimulator simulator(BackfillPolicy policy) {
    return BackfillSimulator.of(NodeRacks.ofGpus(4), policy, OptionalInt.empty());
  }

  private static List<Long> starts(BackfillRun run) {
    return run.run().outcomes().stream()
        .map(JobOutcome::firstStart)
        .map(Duration::toSeconds)
        .toList();
  }

  @Test
  void eachPolicyDoesWhatItIsCalled() {
    assertThat(starts(simulator(BackfillPolicy.FIFO).run(THREE))).containsExactly(0L, 10L, 15L);
    assertThat(starts(simulator(BackfillPolicy.BEST_EFFORT_FIFO).run(THREE)))
        .containsExactly(0L, 10L, 2L);
    assertThat(starts(simulator(BackfillPolicy.EASY).run(THREE))).containsExactly(0L, 10L, 2L);
  }

  @Test
  void aJobThatWouldDelayTheHeadWaits() {
    Trace trace =
        Trace.of("test", List.of(job("a", 3, 0, 10), job("b", 4, 1, 5), job("c", 1, 2, 9)));

    BackfillRun easy = simulator(BackfillPolicy.EASY).run(trace);
    assertThat(starts(easy)).containsExactly(0L, 10L, 15L);
    assertThat(easy.promises()).isEqualTo(2);
    BackfillRun all = simulator(BackfillPolicy.CONSERVATIVE).run(trace);
    assertThat(all.promises()).isEqualTo(2);
    assertThat(all.promisesKept()).isEqualTo(2);
  }

  @Test
  void aBackfilledJobThatOverstaysBreaksAPromise() {
    BackfillSimulator simulator =
        simulator(BackfillPolicy.EASY)
            .withPrediction(
                job -> job.id().equals("c") ? 8 : job.duration().orElseThrow().toSeconds());
    Trace trace =
        Trace.of("test", List.of(job("a", 3, 0, 10), job("b", 4, 1, 5), job("c", 1, 2, 20)));

    BackfillRun run = simulator.run(trace);

    assertThat(starts(run)).containsExactly(0L, 22L, 2L);
    assertThat(run.promises()).isEqualTo(1);
    assertThat(run.promisesKept()).isZero();
  }

  @Test
  void jobsOfOneInstantAreInTheOrderOfTheirIdsAsNumbers() {
    Trace trace =
        Trace.of("test", List.of(job("10", 4, 0, 5), job("9", 4, 0, 5), job("x", 4, 0, 5)));

    assertThat(starts(simulator(BackfillPolicy.FIFO).run(trace))).containsExactly(5L, 0L, 10L);
  }

  @Test
  void theClusterTellsTheScheme() {
    ClusterTopology.Builder racks = ClusterTopology.builder().levels("zone", "rack");
    racks.domain(Domain.of("zone", "z"));
    ClusterTopology.Builder single = ClusterTopology.builder();
    ClusterTopology.Builder flat = ClusterTopology.builder();
    for (int i = 0; i < 4; i++) {
      if (i % 2 == 0) {
        racks.domain(Domain.of("rack", "r" + i / 2).in("z"));
      }
      racks.node(node("n" + i, 8, "r" + i / 2));
      single.node(Node.builder("n" + i).gpus(1, GpuModel.of("P100"), Memory.ofGib(16)).build());
      flat.node(Node.builder("n" + i).gpus(8, GpuModel.of("P100"), Memory.ofGib(16)).build());
    }

    assertThat(BackfillCluster.of(racks.build())).isEqualTo(new NodeRacks(4, 8, 2));
    assertThat(BackfillCluster.of(single.build())).isEqualTo(NodeRacks.ofGpus(4));
    assertThat(BackfillCluster.of(flat.build())).isEqualTo(new NodeRacks(4, 8, 4));
  }

  @Test
  void whatCannotBeSimulatedIsRefused() {
    assertThatThrownBy(
            () -> simulator(BackfillPolicy.EASY).run(Trace.of("t", List.of(job("a", 5, 0, 1)))))
        .hasMessageContaining("a job must fit into the cluster of 1 node of 4 GPUs");
    assertThatThrownBy(
            () -> {
              BackfillSimulator simulator = simulator(BackfillPolicy.EASY).withPrediction(job -> 1);
              simulator.run(Trace.of("t", List.of(job("a", 1, 0, 0))));
            })
        .hasMessageContaining("must run for at least 1 second");
    assertThatThrownBy(() -> BackfillPolicy.named("sjf"))
        .hasMessageContaining("must be one of fifo, best-effort-fifo, easy, conservative");
    assertThatThrownBy(
            () ->
                BackfillSimulator.of(
                    NodeRacks.ofGpus(4), BackfillPolicy.CONSERVATIVE, OptionalInt.of(2)))
        .hasMessageContaining("only easy has them, but were 2, for conservative");
  }
}
