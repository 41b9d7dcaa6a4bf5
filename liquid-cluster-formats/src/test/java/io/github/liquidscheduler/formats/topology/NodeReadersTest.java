package io.github.liquidscheduler.formats.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.shareddata.SharedData;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that tell what nodes are made of. */
class NodeReadersTest {

  private static final TopologyReader ANY =
      TopologyReader.any(Hardware.of(8, GpuModel.of("GPU"), Memory.ofGib(80)));

  private static final String SLURM_NODES =
      """
      # the cluster
      NodeName=DEFAULT CPUs=1
      NodeName=tux[1-2] Gres=gpu:a100:8 CPUs=64 RealMemory=512000 State=UNKNOWN
      NodeName=login CPUs=16
      """;

  private static final String SCONTROL =
      """
      NodeName=tux1 Arch=x86_64 CoresPerSocket=32
         CPUAlloc=0 CPUEfctv=62 CPUTot=64 CPULoad=0.10
         Gres=gpu:a100:4(S:0-1),gpu:v100:2,shard:8
         RealMemory=1000 AllocMem=0
         Comment=no=thing

      NodeName=tux2 Arch=x86_64
         Gres=(null)
         RealMemory=2000
      """;

  private static final String KUBERNETES =
      """
      {"kind": "List", "items": [
       {"metadata": {"name": "n1", "labels": {
          "topology.kubernetes.io/zone": "a", "topology.kubernetes.io/rack": "r1",
          "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB", "nvidia.com/gpu.memory": "81920"}},
        "status": {"allocatable": {"cpu": "95500m", "memory": "1000Ki", "nvidia.com/gpu": "8"}}},
       {"metadata": {"name": "n2", "labels": {
          "topology.kubernetes.io/zone": "b", "topology.kubernetes.io/rack": "r1"}},
        "status": {"allocatable": {"cpu": "4", "memory": "64Gi"}}}
      ]}
      """;

  @Test
  void nodesOfSlurmHaveTheirGpusCoresAndMemory() {
    ClusterTopology cluster = read(SLURM_NODES);

    assertThat(cluster.nodes())
        .extracting(node -> node.id().value())
        .containsExactly("tux1", "tux2", "login");
    Node tux = cluster.node(new NodeId("tux2"));
    assertThat(cluster.gpusByModel()).isEqualTo(Map.of(GpuModel.of("a100"), 16));
    assertThat(tux.cpu()).isEqualTo(CpuCores.of(64));
    assertThat(tux.memory()).isEqualTo(Memory.ofMib(512_000));
    assertThat(cluster.node(new NodeId("login")).gpus()).isEmpty();
  }

  @Test
  void whatScontrolPrintsIsReadToo() {
    ClusterTopology cluster = read(SCONTROL);

    assertThat(cluster.gpusByModel())
        .isEqualTo(Map.of(GpuModel.of("a100"), 4, GpuModel.of("v100"), 2));
    assertThat(cluster.node(new NodeId("tux1")).cpu()).isEqualTo(CpuCores.of(62));
    assertThat(cluster.node(new NodeId("tux2")).gpus()).isEmpty();
  }

  @Test
  void coresOfTheSystemTakeTheirThreadsWithThem() {
    String cores = "NodeName=n%d Sockets=2 CoresPerSocket=32 ThreadsPerCore=2 CPUs=%d %s\n";
    ClusterTopology cluster =
        read(
            cores.formatted(1, 128, "CoreSpecCount=2")
                + cores.formatted(2, 64, "CoreSpecCount=2")
                + cores.formatted(3, 128, "CpuSpecList=0-1,8"));

    assertThat(cluster.nodes())
        .extracting(Node::cpu)
        .containsExactly(CpuCores.of(124), CpuCores.of(62), CpuCores.of(125));
  }

  @Test
  void aTreeOfSlurmGetsTheNodesOfAnotherFile() {
    ReadTopology switches =
        file(
            """
            SwitchName=s1 Nodes=tux1
            SwitchName=s2 Nodes=tux2
            SwitchName=top Switches=s[1-2]
            """);

    ClusterTopology tree = switches.cluster();
    ReadTopology both = NodeDetails.united(switches, file(SLURM_NODES));
    ClusterTopology united = both.cluster();

    assertThat(united.levels()).isEqualTo(tree.levels());
    assertThat(united.gpusByModel()).isEqualTo(Map.of(GpuModel.of("a100"), 16));
    assertThat(united.node(new NodeId("tux1")).domain())
        .isEqualTo(tree.node(new NodeId("tux1")).domain());
    assertThat(both.warnings())
        .extracting(TopologyWarning::toString)
        .contains("left out 1 node that is not in the topology: login");
    assertThatThrownBy(() -> NodeDetails.united(switches, file("NodeName=tux1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("every node must be described, but 'tux2' is not");
  }

  @Test
  void linesWithoutNamesAreAboutTheNodesOfTheOtherFile() {
    ReadTopology switches = file("SwitchName=s1 Nodes=tux[1-3]");
    ReadTopology both =
        NodeDetails.united(
            switches, file("Name=gpu Type=a100-40gb Count=4\nNodeName=tux3 Name=gpu Count=1"));

    assertThat(both.cluster().nodes())
        .extracting(node -> node.gpus().size())
        .containsExactly(4, 4, 5);
    assertThat(both.warnings()).isEmpty();
    assertThat(NodeDetails.united(switches, file("Name=gpu Count=2")).cluster().gpuCount())
        .isEqualTo(6);
  }

  @Test
  void labelsOfKubernetesTellLevelsAndModels() {
    ClusterTopology cluster = read(KUBERNETES);

    assertThat(cluster.levels()).containsExactly("cluster", "zone", "rack", "node");
    assertThat(cluster.domains())
        .extracting(domain -> domain.id().value())
        .containsExactlyInAnyOrder("a", "a/r1", "b", "b/r1");
    Node first = cluster.node(new NodeId("n1"));
    assertThat(first.gpus()).hasSize(8);
    assertThat(first.gpus().getFirst().model()).isEqualTo(GpuModel.of("NVIDIA-A100-SXM4-80GB"));
    assertThat(first.gpus().getFirst().memory()).isEqualTo(Memory.ofMib(81_920));
    assertThat(first.cpu()).isEqualTo(CpuCores.ofMillicores(95_500));
    assertThat(first.labels()).containsEntry("topology.kubernetes.io/rack", "r1");
    assertThat(cluster.node(new NodeId("n2")).gpus()).isEmpty();
  }

  @Tag("public-data")
  @Test
  void tablesOfNodesAreToldByTheirHeaders() {
    ClusterTopology openb =
        ANY.read(SharedData.file("alibaba-gpu-v2023/openb_node_list_gpu_node.csv")).cluster();
    ClusterTopology philly = ANY.read(SharedData.file("philly/revised_machine_list.csv")).cluster();

    assertThat(openb.nodes()).hasSize(1213);
    assertThat(openb.gpuCount()).isEqualTo(6212);
    assertThat(openb.gpusByModel()).hasSize(7);
    assertThat(philly.nodes()).hasSize(552);
    assertThat(
            ANY.read(SharedData.file("philly/examples/cluster_machine_list.example.csv"))
                .cluster()
                .nodes()
                .getFirst()
                .gpus()
                .getFirst()
                .memory())
        .isEqualTo(Memory.ofGib(24));
  }

  @Test
  void modelsInATableTellTheirMemoryOrItIsSaidThatTheyDoNot() {
    ReadTopology read =
        file(
            """
            sn,cpu_milli,memory_mib,gpu,model
            n1,96000,786432,1,V100M32
            n2,96000,786432,1,G2
            n3,96000,786432,0,G2
            """);

    assertThat(read.cluster().node(new NodeId("n1")).gpus().getFirst().memory())
        .isEqualTo(Memory.ofGib(32));
    assertThat(read.warnings())
        .extracting(TopologyWarning::toString)
        .containsExactly(
            "assumed 80 GiB of memory of each GPU of model G2, which is not told, on 1 node: n2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          8, 24 apples | file:2: memory must be a number with a unit, such as 16GiB, but was "24 apples"
          8;m1,8       | file:2: a line must have 3 columns, but had 2
          8,;m1,8,     | file:3: column 'machineId' must name a node once, and did on line 2, but was 'm1'
          """)
  void aWrongLineOfATableIsNamed(String rest, String complaint) {
    String header = "machineId,number of GPUs,single GPU mem\nm1,";

    assertThatThrownBy(() -> read(header + rest.replace(';', '\n')))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(complaint);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NodeName=a Gres=gpu:a100:many", "NodeName=a Gres=gpu:8:8:8"})
  void gpusThatAreNoneAreNamed(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(InputFormatException.class)
        .hasMessageStartingWith("file:1:17: GPUs must be as in Gres=gpu:a100:8, but was 'gpu:");
  }

  @Test
  void aNodeComesOnce() {
    assertThatThrownBy(() -> read("NodeName=a\nNodeName=a"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("file:2:10: a node must be named once, and was on line 1, but was 'a'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"items": [;{"metadata": {"name": "a", "name": "b"}}]} | name
          {"items": [{"metadata": {"name": "a"}}],; "items": []} | items
          """)
  void aMemberThatComesTwiceIsRefused(String text, String name) {
    assertThatThrownBy(() -> read(text.replace(';', '\n')))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(
            "file:2: an object must have each member once, but has '%s' twice".formatted(name));
  }

  private static ClusterTopology read(String text) {
    return file(text).cluster();
  }

  private static ReadTopology file(String text) {
    return ANY.read("file", text.lines().toList());
  }

  @Test
  void aRackWithoutAZoneIsNotTakenForAZoneOfTheSameName() {
    String node =
        """
        {"metadata": {"name": "%s", "labels": {%s"topology.kubernetes.io/rack": "a"}},
         "status": {"allocatable": {"nvidia.com/gpu": "8"}}}
        """;
    ClusterTopology cluster =
        read(
            "{\"kind\": \"List\", \"items\": [%s, %s]}"
                .formatted(
                    node.formatted("n1", "\"topology.kubernetes.io/zone\": \"a\", "),
                    node.formatted("n2", "")));

    assertThat(cluster.domainOf(new NodeId("n1"), "zone")).isPresent();
    assertThat(cluster.domainOf(new NodeId("n2"), "zone")).isEmpty();
    assertThat(cluster.domainOf(new NodeId("n2"), "rack")).isPresent();
  }
}
