package io.github.liquidscheduler.formats.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.shareddata.SharedData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LingjunTopologyTest {
  private static final Hardware HARDWARE = Hardware.of(8, GpuModel.of("GPU"), Memory.ofGib(80));

  private static ClusterTopology read(String text) {
    return TopologyReader.lingjun(HARDWARE).read("topo.csv", text.lines().toList()).cluster();
  }

  @Test
  void aSwitchIsKnownByTheWayDownToIt() {
    ClusterTopology cluster = read("ip,DSW,PSW,ASW\nh1,G6,P1,S1\nh2,G6,P2,S1\nh3,G6,P1,S1\n");

    assertThat(cluster.levels()).containsExactly("cluster", "dsw", "psw", "asw", "node");
    assertThat(cluster.nodesOf(DomainId.of("G6/P1/S1")).size()).isEqualTo(2);
    assertThat(cluster.nodesOf(DomainId.of("G6/P2/S1")).size()).isEqualTo(1);
    assertThat(cluster.nodesOf(DomainId.of("G6")).size()).isEqualTo(3);
  }

  @Test
  void blanksAroundANameAreNoPartOfIt() {
    ClusterTopology cluster = read("ip,DSW,PSW,ASW\nh1,G6,P1,S1\nh2, G6, P1 ,S1\n");

    assertThat(cluster.nodesOf(DomainId.of("G6/P1/S1")).size()).isEqualTo(2);
  }

  @Test
  void switchesWhoseNamesHaveSlashesAreNotTakenForEachOther() {
    ClusterTopology cluster = read("ip,DSW,PSW,ASW\nh1,a/b,c,s\nh2,a,b/c,s\n");

    assertThat(cluster.nodesOf(DomainId.of("a/b/c")).size()).isEqualTo(1);
    assertThat(cluster.nodesOf(DomainId.of("a/b/c (psw)")).size()).isEqualTo(1);
    assertThat(cluster.nodesOf(DomainId.of("a/b/c/s (asw)")).size()).isEqualTo(1);
  }

  @Tag("public-data")
  @Test
  void thePublishedClusterHas847HostsBelow119Switches() {
    ClusterTopology cluster =
        TopologyReader.any(HARDWARE).read(SharedData.file("lingjun-2023/topo.csv")).cluster();

    assertThat(cluster.nodes()).hasSize(847);
    assertThat(cluster.gpuCount()).isEqualTo(6776);
    assertThat(cluster.domains()).filteredOn(domain -> domain.level().equals("asw")).hasSize(119);
    assertThat(cluster.domains()).filteredOn(domain -> domain.level().equals("psw")).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          host,DSW,PSW,ASW;h,a,b,c          | topo.csv:1: the header must have the column 'ip', but was 'host,DSW,PSW,ASW'
          ip,DSW,PSW,ASW;h,a,b              | topo.csv:2: a line must have 4 columns, but had 3
          ip,DSW,PSW,ASW;h,a,,c             | topo.csv:2: column 'PSW' must not be blank, but was ''
          ip,DSW,PSW,ASW;h,a,b,c;h,a,b,d    | topo.csv:3: column 'ip' must name a host once, and did on line 2, but was 'h'
          ip,DSW,PSW,ASW                    | topo.csv: must have at least one host, but has none
          """)
  void whatIsWrongIsNamedWithItsPlace(String text, String complaint) {
    assertThatThrownBy(() -> read(text.replace(';', '\n')))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(complaint);
  }
}
