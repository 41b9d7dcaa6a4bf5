package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.csv.CSVFormat;

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
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    Rows rows =
        Rows.withHeader(
            new BoundedLines(source, new ByteArrayInputStream(text)), CSVFormat.DEFAULT, List.of());
    boolean isPhilly = rows.hasColumn("machineId");
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (Row row = rows.next(); row != null; row = rows.next()) {
      cluster.node(isPhilly ? machine(row) : node(row));
    }
    return new ReadTopology(cluster.build(), List.of());
  }

  private Node node(Row row) {
    GpuModel model = row.optionalText("model").map(GpuModel::of).orElse(hardware.model());
    return hardware
        .bareNode(row.text("sn"))
        .cpu(CpuCores.ofMillicores(row.whole("cpu_milli", 0, MOST)))
        .memory(Memory.ofMib(row.whole("memory_mib", 0, MOST)))
        .gpus((int) row.whole("gpu", 0, Node.MAX_GPUS), model, hardware.memory())
        .build();
  }

  private Node machine(Row row) {
    Memory memory =
        row.optionalText("single GPU mem")
            .map(text -> Memory.parse(text.replace("GB", "GiB")))
            .orElse(hardware.memory());
    return hardware
        .bareNode(row.text("machineId"))
        .gpus((int) row.whole("number of GPUs", 0, Node.MAX_GPUS), hardware.model(), memory)
        .build();
  }
}
