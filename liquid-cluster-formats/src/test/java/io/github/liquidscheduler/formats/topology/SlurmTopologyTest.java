package io.github.liquidscheduler.formats.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Token;
import io.github.liquidscheduler.formats.slurm.HostList;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmTopologyTest {
  private static final Hardware HARDWARE =
      Hardware.of(4, GpuModel.of("A100"), Memory.ofGib(40))
          .withNic(Link.of(Bandwidth.ofGigabitsPerSecond(100)))
          .withUplink(Link.of(Bandwidth.ofGigabitsPerSecond(400)));

  private static ClusterTopology read(String text) {
    return TopologyReader.slurm(HARDWARE).read("topology.conf", text.lines().toList()).cluster();
  }

  @Test
  void switchesBecomeLevelsByTheirHeight() {
    ClusterTopology cluster =
        read(
            """
            # two leaves below a spine
            SwitchName=s0 Nodes=tux[0-2]
            SwitchName=s1 Nodes=tux[3-4],login LinkSpeed=100
            SwitchName=top Switches=s[0-1]
            """);

    assertThat(cluster.levels()).containsExactly("cluster", "spine", "leaf", "node");
    assertThat(cluster.nodes())
        .extracting(node -> node.id().value())
        .containsExactly("tux0", "tux1", "tux2", "tux3", "tux4", "login");
    assertThat(cluster.domainOf(new NodeId("tux4"), "leaf")).map(Domain::id).hasValue(id("s1"));
    assertThat(cluster.domain(id("s0")).parent()).hasValue(id("top"));
    assertThat(cluster.domain(id("s0")).uplink().bandwidth())
        .isEqualTo(Bandwidth.ofGigabitsPerSecond(400));
    assertThat(cluster.gpuCount()).isEqualTo(24);
  }

  private static DomainId id(String value) {
    return DomainId.of(value);
  }

  @Test
  void keysInAnyCaseAndLinesThatGoOnAreUnderstood() {
    ClusterTopology cluster = read("switchname=s0 \\\n  NODES=a,b # both\n");

    assertThat(cluster.nodesOf(id("s0")).size()).isEqualTo(2);
  }

  @Test
  void branchesMayLeaveLevelsOut() {
    ClusterTopology cluster =
        read(
            """
            SwitchName=s0 Nodes=a
            SwitchName=s1 Nodes=b
            SwitchName=s2 Switches=s0
            SwitchName=s3 Switches=s1,s2
            """);

    assertThat(cluster.levels()).containsExactly("cluster", "core", "spine", "leaf", "node");
    assertThat(cluster.domainOf(new NodeId("b"), "spine")).isEmpty();
    assertThat(cluster.domainOf(new NodeId("b"), "core")).map(Domain::id).hasValue(id("s3"));
  }

  @Test
  void blocksBecomeLevelsByTheirSizes() {
    ClusterTopology cluster =
        read(
            """
            BlockName=b1 Nodes=n[01-02]
            BlockName=b2 Nodes=n[03-04]
            BlockName=b3 Nodes=n[05-06]
            BlockSizes=2,4
            """);

    assertThat(cluster.levels()).containsExactly("cluster", "blocks-4", "block", "node");
    assertThat(cluster.nodesOf(id("blocks-4-0")).size()).isEqualTo(4);
    assertThat(cluster.domain(id("b3")).parent()).hasValue(id("blocks-4-1"));
  }

  @Test
  void blocksWithoutSizesAreOneLevel() {
    assertThat(read("BlockName=b1 Nodes=n[1-3]").levels())
        .containsExactly("cluster", "block", "node");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tux[0-2]            | tux0 tux1 tux2
          tux[08-10]          | tux08 tux09 tux10
          tux[1,3-4,7]        | tux1 tux3 tux4 tux7
          r[0-1]n[0-1]        | r0n0 r0n1 r1n0 r1n1
          a,b[1-2]-ib,c       | a b1-ib b2-ib c
          """)
  void hostListsAreExpanded(String list, String names) {
    assertThat(HostList.expand(new Token("f", 1, 1, list)))
        .extracting(Token::text)
        .containsExactly(names.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SwitchName=s0 Nodes=a[3-1]                        | 1:23: a range must be NUMBER or FIRST-LAST, ascending, but was '3-1'
          SwitchName=s0 Nodes=a[1-2                         | 1:21: a bracket must be closed, but was 'a[1-2'
          SwitchName=s0 Nodes=a]                            | 1:22: brackets must come in pairs and not in each other, but was ']'
          SwitchName=s0 Nodes=a,,b                          | 1:21: a list of names must have no empty name, but was 'a,,b'
          SwitchName=s0 Nodes=a[0-9999999]                  | 1:23: a list must have at most 1000000 names, but was '0-9999999'
          SwitchName=s0 Nodes=a,a                           | 1:23: a node must be named once, and was on line 1, but was 'a'
          SwitchName=s0 Nodes=a;SwitchName=s0 Nodes=b       | 2:12: a switch must be named once, and was on line 1, but was 's0'
          SwitchName=s0 Nodes=a;SwitchName=s1 Switches=s[0,7] | 2:24: a switch must have an entry of its own, but was 's7'
          SwitchName=s0 Switches=s1;SwitchName=s1 Switches=s0 | 1:12: a switch must not hang on itself, by way of s1, but was 's0'
          SwitchName=s0 Switches=s0                         | 1:12: a switch must not hang on itself, but was 's0'
          SwitchName=s0                                     | 1:12: a switch must have Nodes or Switches, and not both, but was 's0'
          SwitchName=s0 Nodes                               | 1:15: an entry must be made of KEY=VALUE, but was 'Nodes'
          SwitchName=s0 Node=a                              | 1:15: a key must be one of [SwitchName, Switches, Nodes, LinkSpeed, BlockName, BlockSizes], but was 'Node'
          SwitchName=s0 Nodes=a Nodes=b                     | 1:23: a key must come once in an entry, but was 'Nodes=b'
          SwitchName=s0 Nodes=a \\                           | 1:15: a line that ends with a backslash must be followed by another, but was 'Nodes=a'
          BlockName=b Nodes=a;BlockSizes=2,6                | 2:14: a block size must be a larger power of two times the first one, but was '6'
          BlockName=b Nodes=a;BlockSizes=0                  | 2:12: a block size must be a whole number from 1 to 1000000, but was '0'
          BlockName=b                                       | 1:11: a block must have Nodes, but was 'b'
          """)
  void whatIsWrongIsNamedWithItsPlace(String text, String complaint) {
    assertThatThrownBy(() -> read(text.replace(';', '\n')))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("topology.conf:" + complaint);
  }

  @Test
  void theFirstSwitchAboveTooManyLevelsIsNamed() {
    StringBuilder chain = new StringBuilder("SwitchName=s0 Nodes=a\n");
    for (int i = 1; i <= ClusterTopology.MAX_LEVELS; i++) {
      chain.append("SwitchName=s%d Switches=s%d%n".formatted(i, i - 1));
    }

    assertThatThrownBy(() -> read(chain.toString()))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("topology.conf:101:12: switches must be in at most 100 levels, but was 's100'");
  }

  @Test
  void switchesAndBlocksDoNotMix() {
    assertThatThrownBy(() -> read("SwitchName=s Nodes=a\nBlockName=b Nodes=c"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("topology.conf: must have entries of SwitchName or of BlockName, but has both");
  }

  @Test
  void aFileWithoutEntriesIsRefused() {
    assertThatThrownBy(() -> read("# nothing"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("topology.conf: must have at least one entry, but has none");
  }

  @Test
  void aBlockMayBeCalledAsAGroupOfBlocksIs() {
    ClusterTopology cluster =
        read(
            """
            BlockName=blocks-4-0 Nodes=n[01-02]
            BlockName=b2 Nodes=n[03-04]
            BlockSizes=2,4
            """);

    assertThat(cluster.nodesOf(DomainId.of("blocks-4-0")).size()).isEqualTo(2);
    assertThat(cluster.nodesOf(DomainId.of("blocks-4-0 (blocks-4)")).size()).isEqualTo(4);
  }
}
