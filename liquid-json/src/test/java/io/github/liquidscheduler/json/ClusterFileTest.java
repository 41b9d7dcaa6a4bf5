package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFileTest {

  @Test
  void aGroupStandsForNumberedNodesInNumberedDomains() {
    ClusterTopology cluster =
        read(
            """
            {
              "levels": ["rack"],
              "domains": [{"count": 2, "level": "rack", "id": "r%d", "uplink": "400Gbit/s"}],
              "nodes": [{
                "count": 6, "id": "n%02d", "first": 8, "domain": "r%d", "perDomain": 3,
                "gpus": [{"count": 8, "model": "V100", "memory": "16GiB"}]
              }]
            }
            """);

    assertThat(cluster.nodes())
        .extracting(Node::id)
        .extracting(NodeId::value)
        .containsExactly("n08", "n09", "n10", "n11", "n12", "n13");
    assertThat(cluster.nodesOf(DomainId.of("r1")).size()).isEqualTo(3);
    assertThat(cluster.domain(DomainId.of("r1")).uplink())
        .isEqualTo(Link.of(Bandwidth.ofGigabitsPerSecond(400)));
    assertThat(cluster.gpuCount()).isEqualTo(48);
  }

  @Test
  void quantitiesMayBeWrittenWithUnits() {
    ClusterTopology cluster =
        read(
            """
            {"nodes": [{
              "id": "n", "cpu": 95.5, "memory": "1.5TiB",
              "nic": {"bandwidth": "12.5GB/s", "latency": "2us"},
              "gpus": [{"model": "A100", "memory": 42949672960, "nvlinkGroup": 1}],
              "nvlink": "unlimited", "labels": {"pool": "train"}
            }]}
            """);

    Node node = cluster.node(NodeId.of("n"));
    assertThat(node.cpu()).isEqualTo(CpuCores.ofMillicores(95_500));
    assertThat(node.memory()).isEqualTo(Memory.ofGib(1536));
    assertThat(node.nic())
        .isEqualTo(new Link(Bandwidth.ofGigabitsPerSecond(100), Duration.ofNanos(2000)));
    assertThat(node.gpus().get(0).memory()).isEqualTo(Memory.ofGib(40));
  }

  @Test
  void neighboursThatDifferByTheirNumberOnlyAreWrittenAsAGroup() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int i = 0; i < 64; i++) {
      cluster.node(Node.builder("n" + i).gpus(8, GpuModel.of("V100"), Memory.ofGib(16)).build());
    }

    assertThat(JsonCodecs.CLUSTER.write(cluster.build()))
        .isEqualTo(
            "{\"nodes\":[{\"count\":64,\"id\":\"n%d\",\"gpus\":"
                + "[{\"count\":8,\"model\":\"V100\",\"memory\":\"16GiB\"}]}]}");
  }

  @Test
  void aFileThatWasWrittenReadsBack(@TempDir Path folder) {
    Path file = folder.resolve("cluster.json");
    ClusterTopology cluster =
        ClusterTopology.builder().node(Node.builder("N\u00fcrnberg \ud83d\ude00").build()).build();

    JsonCodecs.CLUSTER.write(cluster, file);

    assertThat(JsonCodecs.CLUSTER.read(file)).isEqualTo(cluster);
  }

  @Test
  void aByteOrderMarkIsPassedOver(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("cluster.json");
    Files.writeString(file, "\ufeff{\"nodes\":[{\"id\":\"n0\"}]}");

    assertThat(JsonCodecs.CLUSTER.read(file).nodes()).hasSize(1);
  }

  @Test
  void indentedListsOfObjectsAreIndentedAsUsual() {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("a").build())
            .node(Node.builder("b").build())
            .build();

    assertThat(JsonCodecs.CLUSTER.writeIndented(cluster))
        .isEqualTo(
            """
            {
              "nodes": [
                {
                  "id": "a"
                },
                {
                  "id": "b"
                }
              ]
            }
            """);
  }

  private static ClusterTopology read(String text) {
    ClusterTopology cluster = JsonCodecs.CLUSTER.read("cluster.json", text);
    assertThat(JsonCodecs.CLUSTER.read("again", JsonCodecs.CLUSTER.write(cluster)))
        .isEqualTo(cluster);
    return cluster;
  }
}
