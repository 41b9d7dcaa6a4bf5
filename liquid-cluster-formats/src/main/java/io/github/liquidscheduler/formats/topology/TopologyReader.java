package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.SourceFile;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads a cluster's topology from a file or from the output of a cluster manager.
 *
 * <p>{@link #any} recognises the format by the text. {@link Hardware} supplies what a format does
 * not state, such as the GPUs of the nodes in {@code topology.conf}; {@link NodeDetails} adds them
 * from a second file instead:
 *
 * <pre>{@code
 * TopologyReader reader =
 *     TopologyReader.any(Hardware.of(8, GpuModel.of("A100"), Memory.ofGib(80)));
 * ReadTopology switches = reader.read(Path.of("topology.conf"));
 * ReadTopology nodes = reader.read(Path.of("nodes.txt")); // scontrol show nodes
 * ReadTopology read = NodeDetails.united(switches, nodes);
 * read.warnings().forEach(System.err::println); // such as nodes that are DOWN
 * ClusterTopology cluster = read.cluster();
 * }</pre>
 *
 * <p>Readers are immutable and thread-safe. They read files when they are called, and nothing else.
 */
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
  ReadTopology read(String source, List<String> lines);

  /**
   * Returns the topology that a file describes.
   *
   * @throws InputFormatException if the file is not there, not readable or does not follow the
   *     format
   */
  default ReadTopology read(Path file) {
    return read(file.toString(), SourceFile.lines(file, LARGEST_FILE));
  }

  /**
   * Returns a reader of Slurm's {@code topology.conf}: {@code topology/tree} and {@code
   * topology/block}. Each node has the GPUs of {@code hardware}.
   */
  static TopologyReader slurm(Hardware hardware) {
    return new RefusingReader(new SlurmTopologyReader(hardware));
  }

  /**
   * Returns a reader of the matrix that {@code nvidia-smi topo -m} prints: a cluster of one node,
   * its GPUs in groups by their nearest connection.
   */
  static TopologyReader nvidiaSmi(Hardware hardware) {
    return new RefusingReader(new NvidiaTopologyReader(hardware));
  }

  /**
   * Returns a reader of what NCCL writes to {@code NCCL_TOPO_DUMP_FILE}: a cluster of one node, its
   * GPUs in groups by their nearest connection, and the sum of its network cards.
   */
  static TopologyReader nccl(Hardware hardware) {
    return new RefusingReader(new NcclTopologyReader(hardware));
  }

  /** Returns a reader of the CSV file of the hosts of Alibaba's Lingjun cluster, 2023. */
  static TopologyReader lingjun(Hardware hardware) {
    return new RefusingReader(new LingjunTopologyReader(hardware));
  }

  /**
   * Returns a reader of the nodes of {@code slurm.conf} or of {@code scontrol show nodes}. Nodes
   * that run no jobs are left out, with a warning.
   */
  static TopologyReader slurmNodes(Hardware hardware) {
    return new RefusingReader(new SlurmNodesReader(hardware));
  }

  /** Returns a reader of the GPUs of nodes in {@code gres.conf} of Slurm. */
  static TopologyReader gresConf(Hardware hardware) {
    return new RefusingReader(new GresConfReader(hardware));
  }

  /**
   * Returns a reader of the output of {@code kubectl get nodes -o json}: allocatable resources, and
   * levels (zone, block, rack) from the well-known labels. Nodes that are cordoned or not ready are
   * left out, with a warning.
   */
  static TopologyReader kubernetes(Hardware hardware) {
    return new RefusingReader(new KubernetesNodesReader(hardware));
  }

  /** Returns a reader of the node CSV files of Alibaba's openb and Microsoft's Philly traces. */
  static TopologyReader nodeTable(Hardware hardware) {
    return new RefusingReader(new NodeTableReader(hardware));
  }

  /** Returns a reader that recognises each of these formats by its text. */
  static TopologyReader any(Hardware hardware) {
    return new AnyTopologyReader(hardware);
  }
}
