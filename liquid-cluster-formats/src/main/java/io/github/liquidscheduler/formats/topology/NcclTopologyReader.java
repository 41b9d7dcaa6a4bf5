package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.XmlElement;
import io.github.liquidscheduler.resource.Bandwidth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads what NCCL writes to {@code NCCL_TOPO_DUMP_FILE}, and files of its form for {@code
 * NCCL_TOPO_FILE}: a node, its GPUs in groups by their nearest connection, and its network cards
 * together. A GPU is an element {@code gpu}, or a device of the class of GPUs without one.
 */
record NcclTopologyReader(Hardware hardware) implements TopologyReader {

  private static final String NODE_NAME = "node";
  private static final long BYTES_PER_MEGABIT = 125_000;
  private static final int FASTEST_MEGABITS = 100_000_000;

  @Override
  public ReadTopology read(String source, List<String> lines) {
    XmlElement system = XmlElement.parse(source, String.join("\n", lines));
    if (!system.name().equals("system")) {
      throw system.error("the outermost element must be <system>");
    }
    requireOneHost(system);
    List<NcclGpu> gpus = new ArrayList<>();
    for (XmlElement cpu : system.children("cpu")) {
      NcclGpu.addBelow(cpu, List.of(cpu), gpus);
    }
    if (gpus.isEmpty() || gpus.size() > Node.MAX_GPUS) {
      throw new InputFormatException(
          "%s: must have from 1 to %d GPUs, but has %d"
              .formatted(source, Node.MAX_GPUS, gpus.size()));
    }
    Node.Builder node = connections(gpus).node(hardware, NODE_NAME);
    long megabits = megabitsBelow(system, new LinkedHashMap<>());
    if (megabits > 0) {
      node.nic(Link.of(new Bandwidth(megabits * BYTES_PER_MEGABIT)));
    }
    return new ReadTopology(ClusterTopology.builder().node(node.build()).build(), List.of());
  }

  private static void requireOneHost(XmlElement system) {
    Stream<String> hosts =
        system.children("cpu").stream().flatMap(cpu -> cpu.attribute("host_hash").stream());
    long count = hosts.distinct().count();
    if (count > 1) {
      throw system.error("a file must be of one host, but is of " + count);
    }
  }

  private static GpuConnections connections(List<NcclGpu> found) {
    List<NcclGpu> gpus = found.stream().sorted(NcclGpu.BY_DEVICE).toList();
    Connection[][] matrix = new Connection[gpus.size()][gpus.size()];
    for (int row = 0; row < matrix.length; row++) {
      for (int column = 0; column < matrix.length; column++) {
        matrix[row][column] =
            row == column ? Connection.SELF : gpus.get(row).connection(gpus.get(column));
      }
    }
    return new GpuConnections(matrix, gpus.stream().mapToInt(NcclGpu::numaNode).toArray());
  }

  /** Returns the speed of all network cards; one that comes again, by its id and port, is one. */
  private static long megabitsBelow(XmlElement element, Map<String, Integer> seen) {
    long sum = 0;
    for (XmlElement child : element.children()) {
      if (child.name().equals("net")) {
        String id = child.attribute("guid").filter(guid -> !guid.matches("0(x0+)?")).orElse("");
        String port = id + "/" + child.attribute("port").orElse("");
        int speed = child.number("speed", FASTEST_MEGABITS).orElse(0);
        sum += id.isEmpty() || seen.putIfAbsent(port, speed) == null ? speed : 0;
      }
      sum += megabitsBelow(child, seen);
    }
    return sum;
  }
}
