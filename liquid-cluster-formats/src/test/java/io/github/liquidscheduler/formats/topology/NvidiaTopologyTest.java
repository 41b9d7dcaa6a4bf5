package io.github.liquidscheduler.formats.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvidiaTopologyTest {
  private static final String TWO_PAIRS =
      """
      \t\u001B[4mGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001B[0m
      GPU0\t X \tNV2\tSYS\tSYS\tPXB\t0-15\t0\t\tN/A
      GPU1\tNV2\t X \tSYS\tSYS\tPXB\t0-15\t0\t\tN/A
      GPU2\tSYS\tSYS\t X \tNV2\tSYS\t16-31\t1\t\tN/A
      GPU3\tSYS\tSYS\tNV2\t X \tSYS\t16-31\t1\t\tN/A
      NIC0\tPXB\tPXB\tSYS\tSYS\t X

      Legend:

        X    = Self
      """;

  private static Node read(String text) {
    return TopologyReader.nvidiaSmi(Hardware.of(0, GpuModel.of("V100"), Memory.ofGib(16)))
        .read("topo.txt", text.lines().toList())
        .cluster()
        .nodes()
        .getFirst();
  }

  @Test
  void nvlinkMakesGroupsAndAffinityNumaNodes() {
    Node node = read(TWO_PAIRS);

    assertThat(node.gpus()).extracting(Gpu::nvlinkGroup).containsExactly(0, 0, 1, 1);
    assertThat(node.gpus()).extracting(Gpu::numaNode).containsExactly(0, 0, 1, 1);
    assertThat(node.nvlink()).isEqualTo(Bandwidth.ofGigabytesPerSecond(50));
  }

  @Test
  void theWeakestNvlinkSetsTheRateOfAMesh() {
    Node node =
        read(
            """
                 GPU0 GPU1 GPU2 CPU Affinity
            GPU0  X   NV1  NV2  0-9
            GPU1 NV1   X   NV2  0-9
            GPU2 NV2  NV2   X   0-9
            """);

    assertThat(node.gpus()).extracting(Gpu::nvlinkGroup).containsOnly(0);
    assertThat(node.nvlink()).isEqualTo(Bandwidth.ofGigabytesPerSecond(25));
  }

  @Test
  void withoutNvlinkThePcieSwitchMakesGroups() {
    Node node =
        read(
            """
                 GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity
            GPU0  X   PIX  PHB  0-9 0
            GPU1 PIX   X   PHB  0-9 0
            GPU2 PHB  PHB   X   0-9 0
            """);

    assertThat(node.gpus()).extracting(Gpu::nvlinkGroup).containsExactly(0, 0, 1);
    assertThat(node.nvlink()).isEqualTo(Bandwidth.ofGigabytesPerSecond(12));
  }

  @Test
  void oneGpuIsAGroupOfItsOwn() {
    assertThat(read("\tGPU0\tCPU Affinity\nGPU0\t X \t0-7\n").nvlink().isUnlimited()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GPU1;GPU0 X           | 1:1: the first column must be 'GPU0', but was 'GPU1'
          GPU0 GPU1;GPU0 X NV1  | 1:6: every GPU column must have a row (1 row given), but was 'GPU1'
          GPU0;GPU0 NV1         | 2:6: a GPU must be 'X' to itself, but was 'NV1'
          GPU0 GPU1;GPU0 X X;GPU1 X X          | 2:8: only a GPU itself may be 'X', but was 'X'
          GPU0 GPU1;GPU0 X NV1;GPU1 SYS X      | 3:6: GPU1 and GPU0 must name the same connection, but was 'SYS'
          GPU0 GPU1;GPU0 X FOO;GPU1 SYS X      | 2:8: a connection must be X, NV<links>, PIX, PXB, PHB, NODE or SYS, but was 'FOO'
          GPU0 GPU1;GPU0 X;GPU1 SYS X          | 2:6: a row must have 2 connections, and ends early, but was 'X'
          GPU0 GPU1;GPU1 X SYS;GPU0 SYS X      | 2:1: this row must be of 'GPU0', but was 'GPU1'
          """)
  void whatIsWrongIsNamedWithItsPlace(String text, String complaint) {
    assertThatThrownBy(() -> read(text.replace(';', '\n')))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("topo.txt:" + complaint);
  }

  @Test
  void aBlankFileIsRefused() {
    assertThatThrownBy(() -> read(" \n"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("topo.txt: must have a line of columns, but is blank");
  }
}
