package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.input.NodePlaces;
import io.github.liquidscheduler.formats.input.PlacedRefusal;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads CSV files with a row for each node: the nodes of Alibaba's trace of 2023 ({@code
 * openb_node_list_*.csv}) and the machine lists of Microsoft's Philly traces. They have no levels.
 */
record NodeTableReader(Hardware hardware) implements TopologyReader {

  static final String OPENB_HEADER = "sn,cpu_milli,memory_mib,gpu,model";
  static final String PHILLY_HEADER = "machineId,number of GPUs";

  private static final long MOST = 1_000_000_000_000L;

  @Override
  public ReadTopology read(String source, List<String> lines) {
    Rows rows = Rows.ofLines(source, lines, List.of());
    boolean isPhilly = rows.hasColumn("machineId");
    TopologyWarnings warnings = new TopologyWarnings();
    NodePlaces places = new NodePlaces("a node");
    List<Node> nodes = new ArrayList<>();
    for (Row row = rows.next(); row != null; row = rows.next()) {
      Row each = row;
      String name = places.add(row, isPhilly ? "machineId" : "sn");
      nodes.add(
          PlacedRefusal.at(
              source + ":" + row.line(),
              () -> isPhilly ? machine(name, each) : node(name, each, warnings)));
    }
    return warnings.of(source, nodes);
  }

  private Node node(String name, Row row, TopologyWarnings warnings) {
    int gpus = (int) row.whole("gpu", 0, Node.MAX_GPUS);
    Optional<GpuModel> named = row.optionalText("model").filter(text -> gpus > 0).map(GpuModel::of);
    return hardware
        .bareNode(name)
        .cpu(CpuCores.ofMillicores(row.whole("cpu_milli", 0, MOST)))
        .memory(Memory.ofMib(row.whole("memory_mib", 0, MOST)))
        .gpus(
            gpus,
            named.orElse(hardware.model()),
            named
                .map(model -> new GpuMemory(hardware, warnings).of(model, name))
                .orElse(hardware.memory()))
        .build();
  }

  private Node machine(String name, Row row) {
    Memory memory =
        row.optionalText("single GPU mem")
            .map(text -> Memory.parse(text.replace("GB", "GiB")))
            .orElse(hardware.memory());
    return hardware
        .bareNode(name)
        .gpus((int) row.whole("number of GPUs", 0, Node.MAX_GPUS), hardware.model(), memory)
        .build();
  }
}
