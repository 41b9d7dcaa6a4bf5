package io.github.liquidscheduler.simulator.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.performance.GpuSpeedTable;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownSpeedsTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel K80 = GpuModel.of("K80");
  private static final String TABLE =
      """
      {
        "v100": {"('Net (batch size 8)', 2)": {"null": 18.0}, "('A3C', 2)": {"null": 3.0}},
        "k80": {"('Net (batch size 8)', 2)": {"null": 4.5}, "('A3C', 2)": {"null": 2.0}},
        "v100_unconsolidated": {"('Net (batch size 8)', 2)": {"null": 9.0}}
      }
      """;

  @TempDir Path folder;

  private ThroughputTable table() throws IOException {
    return ThroughputTable.readGavel(Files.writeString(folder.resolve("table.json"), TABLE));
  }

  private static JobSpec job(Workload workload, int gpus) {
    return JobSpec.builder("a").gpus(gpus).workload(workload).build();
  }

  @Test
  void theFiguresOfTheTableArePredictedAsTheyAre() throws IOException {
    KnownSpeeds speeds = new KnownSpeeds(table());
    JobSpec net = job(Workload.builder("Net").batchSize(8).build(), 2);

    assertThat(speeds.throughput(net, V100, 2, "node").value()).isEqualTo(18);
    assertThat(speeds.throughput(net, V100, 2, "cluster").value()).isEqualTo(9);
    assertThat(speeds.throughput(net, K80, 2, "node").value()).isEqualTo(4.5);
    assertThat(speeds.throughput(job(Workload.builder("A3C").build(), 2), K80, 2, "node").value())
        .isEqualTo(2);
  }

  @Test
  void ofWhatTheTableHasNotNothingIsSaid() throws IOException {
    KnownSpeeds speeds = new KnownSpeeds(table());
    JobSpec other = job(Workload.builder("Other").build(), 2);

    assertThat(speeds.throughput(other, V100, 2, "node").provenance())
        .isEqualTo(Provenance.DEFAULT);
  }

  @Test
  void aFileOfSpeedsIsRead() throws IOException {
    Path file = folder.resolve("speeds.csv");
    Files.writeString(file, "workload,gpu_model,speed\nA3C,V100,3\nA3C,K80,2\n");

    GpuSpeedTable speeds = GpuSpeedReader.read(file);

    JobSpec job = job(Workload.builder("A3C").build(), 1);
    assertThat(speeds.throughput(job, V100, 1, "node").value()).isEqualTo(3);
    assertThat(speeds.throughput(job, K80, 1, "node").value()).isEqualTo(2);
  }

  @Test
  void aWrongFileOfSpeedsIsRefusedByItsLine() throws IOException {
    Path file = folder.resolve("speeds.csv");
    Files.writeString(file, "workload,gpu_model,speed\nA3C,V100,3\nA3C,V100,2\n");

    assertThatThrownBy(() -> GpuSpeedReader.read(file))
        .isInstanceOf(InputFormatException.class)
        .hasMessageContaining("speeds.csv:3: column 'gpu_model' must come once for each workload");
    Files.writeString(file, "workload,gpu_model,speed\nA3C,V100,0\n");
    assertThatThrownBy(() -> GpuSpeedReader.read(file))
        .isInstanceOf(InputFormatException.class)
        .hasMessageContaining("speeds.csv:2:");
  }

  @Test
  void modelsInADrawnOrderAreTheSameModels() throws IOException {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("v").gpus(2, V100, Memory.ofGib(16)).build())
            .node(Node.builder("k").gpus(2, K80, Memory.ofGib(12)).build())
            .build();
    GroundTruth truth = table();
    UnorderedModels unordered = new UnorderedModels(truth, 1);

    List<List<GpuModel>> orders =
        List.of("a", "b", "c", "d", "e", "f").stream()
            .map(id -> unordered.usableModels(traceJob(id), cluster).orElseThrow())
            .toList();

    assertThat(orders).allSatisfy(order -> assertThat(order).containsExactlyInAnyOrder(V100, K80));
    assertThat(orders).contains(List.of(V100, K80), List.of(K80, V100));
    assertThat(unordered.work(traceJob("a"))).isEqualTo(truth.work(traceJob("a")));
  }

  private static TraceJob traceJob(String id) {
    return TraceJob.builder(id).gpus(2).model("A3C").iterations(30).build();
  }
}
