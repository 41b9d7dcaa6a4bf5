package io.github.liquidscheduler.simulator.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.simulator.input.InputFormatException;
import io.github.liquidscheduler.simulator.input.SourceFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Reads the topology of a cluster from a file of one format. */
public interface TopologyReader {

  /** The largest file that is read, in bytes. */
  long LARGEST_FILE = 1L << 28;

  /**
   * Returns the topology that the lines describe.
   *
   * @param source what messages call the text
   * @param lines the lines without their ends
   * @throws InputFormatException if they do not follow the format
   */
  ClusterTopology read(String source, List<String> lines);

  /**
   * Returns the topology that a file describes.
   *
   * @throws InputFormatException if the file is not there, not readable or does not follow the
   *     format
   */
  default ClusterTopology read(Path file) {
    return read(file.toString(), SourceFile.lines(file, LARGEST_FILE));
  }

  /** Returns a reader of {@code topology.conf} of Slurm, trees and blocks. */
  static TopologyReader slurm(Hardware hardware) {
    return new SlurmTopologyReader(hardware);
  }

  /** Returns a reader of what {@code nvidia-smi topo -m} prints: a cluster of that one node. */
  static TopologyReader nvidiaSmi(Hardware hardware) {
    return new NvidiaTopologyReader(hardware);
  }

  /** Returns a reader of the CSV file of the hosts of Alibaba's Lingjun cluster, 2023. */
  static TopologyReader lingjun(Hardware hardware) {
    return new LingjunTopologyReader(hardware);
  }

  /** Returns a reader of the nodes of {@code slurm.conf} or of {@code scontrol show nodes}. */
  static TopologyReader slurmNodes(Hardware hardware) {
    return new SlurmNodesReader(hardware);
  }

  /** Returns a reader of what {@code kubectl get nodes -o json} prints. */
  static TopologyReader kubernetes(Hardware hardware) {
    return new KubernetesNodesReader(hardware);
  }

  /**
   * Returns a reader of the CSV files of nodes of Alibaba's openb and Microsoft's Philly traces.
   */
  static TopologyReader nodeTable(Hardware hardware) {
    return new NodeTableReader(hardware);
  }

  /**
   * Returns a reader that detects the format.
   *
   * @param hardware the values that a format lacks
   */
  static TopologyReader any(Hardware hardware) {
    return (source, lines) -> byText(source, lines, hardware).read(source, lines);
  }

  private static TopologyReader byText(String source, List<String> lines, Hardware hardware) {
    for (String line : lines) {
      String text = line.toLowerCase(Locale.ROOT);
      if (text.startsWith(LingjunTopologyReader.HEADER.toLowerCase(Locale.ROOT))) {
        return lingjun(hardware);
      }
      if (line.startsWith(NodeTableReader.OPENB_HEADER)
          || line.contains(NodeTableReader.PHILLY_HEADER)) {
        return nodeTable(hardware);
      }
      if (text.startsWith("{") || text.startsWith("[")) {
        return kubernetes(hardware);
      }
      if (text.startsWith("nodename=")) {
        return slurmNodes(hardware);
      }
      if (text.startsWith("switchname=") || text.startsWith("block")) {
        return slurm(hardware);
      }
      if (text.contains("gpu0")) {
        return nvidiaSmi(hardware);
      }
    }
    throw new InputFormatException(
        source
            + ": must be a topology.conf or nodes of Slurm, the output of 'nvidia-smi topo -m' or"
            + " 'kubectl get nodes -o json', or a CSV file with the header '%s', '%s' or '%s', but is"
                .formatted(
                    LingjunTopologyReader.HEADER,
                    NodeTableReader.OPENB_HEADER,
                    NodeTableReader.PHILLY_HEADER)
            + " none of these");
  }
}
