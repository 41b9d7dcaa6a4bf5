package io.github.liquidscheduler.simulator.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobCancelled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureScriptTest {

  @TempDir Path folder;

  private final ClusterTopology cluster =
      ClusterTopology.builder()
          .node(Node.builder("n0").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build())
          .build();

  private Path file(String text) {
    try {
      return Files.writeString(folder.resolve("failures.csv"), text);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private FailureScript read(String... lines) {
    return FailureScript.read(file("time,event,target\n" + String.join("\n", lines)), cluster);
  }

  @Test
  void aScriptIsReadInOrder() {
    NodeId n0 = NodeId.of("n0");
    GpuId gpu = GpuId.of("n0", 1);

    FailureScript script =
        read(
            "0,gpu-lost,n0:1",
            "1.5,gpu-returned,n0:1",
            "10,node-draining,n0",
            "20,node-lost,n0",
            "30,node-returned,n0");

    assertThat(script.events())
        .containsExactly(
            new ClusterEvent.GpuLost(Instant.EPOCH, gpu),
            new ClusterEvent.GpuReturned(Instant.ofEpochMilli(1500), gpu),
            new ClusterEvent.NodeDraining(Instant.ofEpochSecond(10), n0),
            new ClusterEvent.NodeLost(Instant.ofEpochSecond(20), n0),
            new ClusterEvent.NodeReturned(Instant.ofEpochSecond(30), n0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x,node-lost,n0           | time must be seconds, but was 'x'",
        "-1,node-lost,n0          | time must be from 0 to 3153600000 seconds, but was -1",
        "1e300,node-lost,n0       | time must be from 0",
        "1,node-lost,n7           | the cluster has no node 'n7'",
        "1,gpu-lost,n0:2          | the cluster has no GPU 'n0:2'",
        "1,gpu-lost,n0            | a GPU must be written as node:number, but was 'n0'",
        "1,node-melted,n0         | event must be node-lost",
        "1,node-returned,n0       | an event must change something",
        "1,node-lost              | a line must have 3 columns, but had 2",
        "1,node-lost,n0,n1        | a line must have 3 columns, but had 4"
      })
  void aBadLineIsRefusedWithItsNumber(String line, String message) {
    assertThatThrownBy(() -> read("0,gpu-lost,n0:0", line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("failures.csv:3: ")
        .hasMessageContaining(message);
  }

  @Test
  void eventsOutOfTimeOrderAreRefused() {
    assertThatThrownBy(() -> read("10,node-lost,n0", "5,node-returned,n0"))
        .hasMessageContaining("failures.csv:3: events must be in the order of their times");
  }

  @Test
  void anotherHeaderIsRefused() {
    assertThatThrownBy(() -> FailureScript.read(file("when,what\n1,2\n"), cluster))
        .hasMessageContaining(
            "failures.csv:1: the header must have the column 'time', but was 'when,what'");
  }

  @Test
  void aMissingFileIsRefused() {
    assertThatThrownBy(() -> FailureScript.read(folder.resolve("none.csv"), cluster))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none.csv");
  }

  @Test
  void eventsOfJobsAreRefused() {
    List<ClusterEvent> events = List.of(new JobCancelled(Instant.EPOCH, JobId.of("j")));

    assertThatThrownBy(() -> FailureScript.of(cluster, events))
        .hasMessageContaining("a failure script is about nodes and GPUs");
  }
}
