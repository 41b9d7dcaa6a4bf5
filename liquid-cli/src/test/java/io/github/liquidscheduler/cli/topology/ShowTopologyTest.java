package io.github.liquidscheduler.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ShowTopologyTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

  private int run(String... arguments) {
    return new CommandLine(new TopologyCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("f"), text).toString();
  }

  @Test
  void theTreeIsPrintedWithCapacities() throws IOException {
    String conf =
        file("SwitchName=s0 Nodes=a[1-6]\nSwitchName=s1 Nodes=b\nSwitchName=top Switches=s[0-1]\n");

    int status =
        run(
            "show",
            conf,
            "--gpus=4",
            "--gpu-model=A100",
            "--nic=100",
            "--nvlink=300",
            "--uplink=400");

    assertThat(status).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "cluster: 7 nodes with 28 A100",
            "levels: cluster > spine > leaf > node",
            "  spine 'top': 7 nodes with 28 A100, uplink 400 Gbit/s",
            "    leaf 's0': 6 nodes with 24 A100, uplink 400 Gbit/s",
            "      6 x node of [4 A100 (40 GiB), NVLink group 0, NUMA node 0], NIC 100 Gbit/s,"
                + " between GPUs 2400 Gbit/s (a1 … a6)",
            "    leaf 's1': 1 node with 4 A100, uplink 400 Gbit/s",
            "      1 x node of [4 A100 (40 GiB), NVLink group 0, NUMA node 0], NIC 100 Gbit/s,"
                + " between GPUs 2400 Gbit/s (b)");
  }

  @Test
  void clustersThatOtherCommandsTakeAreShownToo() throws IOException {
    assertThat(run("show", "3x4xP100")).isZero();
    assertThat(out.toString())
        .contains("cluster: 3 nodes with 12 P100", "3 x node of [4 P100 (16 GiB)");
  }

  @Test
  void aTopologyBecomesAClusterThatOtherCommandsTake() throws IOException {
    String cluster = folder.resolve("cluster.json").toString();
    String conf = file("SwitchName=s0 Nodes=a[1-6]\nSwitchName=s1 Nodes=b\n");

    assertThat(run("show", conf, "--gpu-model=A100", "--json=" + cluster)).isZero();
    assertThat(out.toString()).isEqualTo("wrote " + cluster + ": 7 nodes\n");
    assertThat(run("show", cluster)).isZero();
    assertThat(out.toString()).contains("cluster: 7 nodes with 56 A100", "leaf 's1': 1 node");
  }

  @Test
  void fewerLevelsCanBeAskedFor() throws IOException {
    assertThat(run("show", file("SwitchName=s0 Nodes=a[1-6]\n"), "--levels=0")).isZero();
    assertThat(out.toString().lines()).hasSize(2);
  }

  @Test
  void aBadFileIsNamedInOneLine() throws IOException {
    String conf = file("SwitchName=s0 Nodes=a[2-1]\n");

    assertThat(run("show", conf)).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(conf + ":1:23: a range must be NUMBER or FIRST-LAST, ascending, but was '2-1'");
  }

  @Test
  void badHardwareIsNamed() throws IOException {
    assertThat(run("show", file("SwitchName=s0 Nodes=a\n"), "--gpus=-1")).isEqualTo(2);
    assertThat(err.toString()).startsWith("a node must have from 0 to 1024 GPUs, but had -1");
  }
}
