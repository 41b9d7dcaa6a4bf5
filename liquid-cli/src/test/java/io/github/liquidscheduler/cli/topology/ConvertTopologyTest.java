package io.github.liquidscheduler.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.resource.Memory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConvertTopologyTest {

  @TempDir Path folder;

  private final StringWriter output = new StringWriter();

  private final StringWriter errors = new StringWriter();

  private void convert(String... arguments) {
    new CommandLine(new ConvertTopology())
        .setOut(new PrintWriter(output))
        .setErr(new PrintWriter(errors))
        .execute(arguments);
  }

  @Test
  void aTreeAndItsNodesMakeAClusterFile() throws IOException {
    Path tree = Files.writeString(folder.resolve("topology.conf"), "SwitchName=s Nodes=tux[1-2]\n");
    Path nodes = Files.writeString(folder.resolve("nodes"), "NodeName=tux[1-2] Gres=gpu:h100:4\n");
    Path cluster = folder.resolve("cluster.json");

    convert(tree.toString(), "--nodes", nodes.toString(), "--output", cluster.toString());

    assertThat(output).hasToString("wrote %s: 2 nodes, 8 GPUs%n".formatted(cluster));
    assertThat(errors).asString().isEmpty();
    ClusterTopology read = JsonCodecs.CLUSTER.read(cluster);
    assertThat(read.gpuCount()).isEqualTo(8);
    assertThat(read.levels()).containsExactly("cluster", "leaf", "node");
  }

  @Test
  void withoutAnOutputTheFileIsPrinted() throws IOException {
    Path nodes = Files.writeString(folder.resolve("nodes"), "NodeName=tux Gres=gpu:4\n");

    convert(nodes.toString(), "--gpu-model", "H100");

    assertThat(JsonCodecs.CLUSTER.read("out", output.toString()).gpusByModel())
        .hasToString("{H100=4}");
  }

  @Test
  void nodesThatAreDownAreInNoClusterAndSaid() throws IOException {
    Path tree = Files.writeString(folder.resolve("topology.conf"), "SwitchName=s Nodes=n[1-3]\n");
    Path nodes =
        Files.writeString(
            folder.resolve("nodes"),
            "NodeName=n[1-2] Gres=gpu:t4:4\nNodeName=n3 Gres=gpu:t4:4 State=DOWN\n");

    convert(tree.toString(), "--nodes", nodes.toString());

    ClusterTopology read = JsonCodecs.CLUSTER.read("out", output.toString());
    assertThat(read.gpuCount()).isEqualTo(8);
    assertThat(read.nodes().getFirst().gpus().getFirst().memory()).isEqualTo(Memory.ofGib(16));
    assertThat(errors).hasToString("%s: left out 1 node that is DOWN: n3%n".formatted(nodes));
  }

  @Test
  void theMemoryOfAnUnknownModelIsSaidToBeAssumed() throws IOException {
    Path nodes = Files.writeString(folder.resolve("nodes"), "NodeName=n1 Gres=gpu:own:4\n");

    convert(nodes.toString(), "--gpu-memory", "24");

    assertThat(errors)
        .hasToString(
            "%s: assumed 24 GiB of memory of each GPU of model own, which is not told, on 1 node: n1%n"
                .formatted(nodes));
  }
}
