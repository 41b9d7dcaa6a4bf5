package io.github.liquidscheduler.simulator.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThroughputTableTest {

  private static final String TABLE =
      """
      {
        "v100": {"('Net (batch size 8)', 1)": {"null": 10.0, "('Other', 1)": [1.0, 2.0]},
                 "('Net (batch size 8)', 2)": {"null": 18}},
        "k80": {"('Net (batch size 8)', 1)": {"null": 0.0},
                "('Net (batch size 8)', 2)": {"null": 4.5}},
        "v100_unconsolidated": {"('Net (batch size 8)', 2)": {"null": 9.0}}
      }
      """;

  private static final String PAIRS =
      """
      {
        "v100": {"('A', 1)": {"null": 8.0, "('A', 1)": [4.0, 4.0], "('B', 1)": [2.0, 3.0]},
                 "('B', 1)": {"null": 4.0, "('A', 1)": [3.0, 2.0], "('B', 1)": [0.0, 0.0]}}
      }
      """;

  @TempDir Path folder;

  private final ClusterTopology cluster =
      ClusterTopology.builder()
          .node(node("fast", "V100"))
          .node(node("alsoFast", "V100"))
          .node(node("slow", "K80"))
          .node(node("strange", "T4"))
          .build();

  private static Node node(String id, String model) {
    return Node.builder(id).gpus(2, GpuModel.of(model), Memory.ofGib(16)).build();
  }

  private static TraceJob job(int gpus) {
    return TraceJob.builder("j").model("Net (batch size 8)").gpus(gpus).iterations(900).build();
  }

  private ThroughputTable table(String json) {
    try {
      return ThroughputTable.readGavel(Files.writeString(folder.resolve("table.json"), json));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** A worker on each node, on the next GPU of it. */
  private double rate(TraceJob job, String... nodes) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (String node : nodes) {
      int gpu = (int) tasks.stream().filter(task -> task.node().value().equals(node)).count();
      tasks.add(
          new TaskPlacement(
              new TaskId("worker", tasks.size()),
              NodeId.of(node),
              List.of(gpu),
              ResourceRequest.ofGpus(1)));
    }
    return table(TABLE).rate(job, new Placement(JobId.of("j"), tasks), cluster);
  }

  @Test
  void workIsTheTimeOnTheFastestModel() {
    assertThat(table(TABLE).work(job(1))).isEqualTo(Duration.ofSeconds(90));
    assertThat(table(TABLE).work(job(2))).isEqualTo(Duration.ofSeconds(50));
  }

  @Test
  void aSlowerModelHasASmallerRate() {
    assertThat(rate(job(1), "fast")).isEqualTo(1.0);
    assertThat(rate(job(2), "fast", "fast")).isEqualTo(1.0);
    assertThat(rate(job(2), "slow", "slow")).isEqualTo(0.25);
  }

  @Test
  void theSlowestModelCounts() {
    assertThat(rate(job(2), "fast", "slow")).isEqualTo(0.25);
  }

  @Test
  void workersOnSeveralNodesGetTheSpeedMeasuredForThat() {
    assertThat(rate(job(2), "fast", "alsoFast")).isEqualTo(0.5);
  }

  @Test
  void aModelWithoutSpeedIsNotUsable() {
    assertThat(table(TABLE).usableModels(job(1), cluster)).contains(List.of(GpuModel.of("V100")));
    assertThat(table(TABLE).usableModels(job(2), cluster))
        .contains(List.of(GpuModel.of("V100"), GpuModel.of("K80")));
  }

  private static TraceJob other(String model) {
    return TraceJob.builder(model).model(model).build();
  }

  @Test
  void besideAnotherAJobRetainsWhatWasMeasured() {
    assertThat(table(PAIRS).retained(other("A"), List.of(other("B")), GpuModel.of("V100")))
        .isEqualTo(0.25);
    assertThat(table(PAIRS).retained(other("B"), List.of(other("A")), GpuModel.of("V100")))
        .isEqualTo(0.75);
  }

  @Test
  void besideSeveralOthersTheProductCounts() {
    assertThat(
            table(PAIRS).retained(other("A"), List.of(other("A"), other("B")), GpuModel.of("V100")))
        .isEqualTo(0.5 * 0.25);
  }

  @Test
  void jobsThatWereNotMeasuredTogetherTakeTurns() {
    assertThat(table(PAIRS).retained(other("A"), List.of(other("C")), GpuModel.of("V100")))
        .isEqualTo(0.5);
  }

  @Test
  void jobsWhosePairRanAtNoSpeedDoNotFitTogether() {
    ThroughputTable pairs = table(PAIRS);

    assertThat(pairs.fit(List.of(other("A"), other("B")), GpuModel.of("V100"))).isTrue();
    assertThat(pairs.fit(List.of(other("B"), other("A"), other("B")), GpuModel.of("V100")))
        .isFalse();
  }

  @Test
  void aJobTheTableDoesNotKnowIsRefusedByName() {
    assertThatThrownBy(() -> table(TABLE).work(job(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'Net (batch size 8)' on 4 GPUs, for job 'j'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]                                   | must have an object of GPU models",
        "{\"v100\": 3}                        | must have an object of jobs",
        "{\"v100\": {\"Net\": {}}}            | must have jobs written as ('model', GPUs)",
        "{\"v100\": {\"('Net', 1)\": {\"null\": \"x\"}}} | must have numbers as speeds",
        "{\"v100\": {\"('Net', 1)\": {\"('Net', 1)\": 1}}}  | must have two numbers as the speeds",
        "{\"v100\": {\"('Net', 1)\": {\"null\": -1}}}    | must have a speed from 0",
        "{\"v100\": {                         | must be JSON"
      })
  void anotherFormIsRefused(String json, String rule) {
    assertThatThrownBy(() -> table(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("table.json:1: ")
        .hasMessageContaining(rule);
  }
}
