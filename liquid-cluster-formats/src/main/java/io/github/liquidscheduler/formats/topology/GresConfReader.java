package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Token;
import io.github.liquidscheduler.formats.slurm.GresConfLine;
import io.github.liquidscheduler.formats.slurm.SlurmLines;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code gres.conf} of Slurm: the GPUs of nodes, of which several lines add up. A line
 * without {@code NodeName} is about all nodes, those that another file names too; without any names
 * there is one called {@code node}. CPUs and memory are not told.
 */
record GresConfReader(Hardware hardware) implements TopologyReader {

  private static final String ONLY_NODE = "node";

  @Override
  public ReadTopology read(String source, List<String> lines) {
    TopologyWarnings warnings = new TopologyWarnings();
    List<GresConfLine> entries = entries(source, lines, warnings);
    Map<String, Node.Builder> nodes = new LinkedHashMap<>();
    entries.stream()
        .flatMap(entry -> entry.nodes().stream())
        .forEach(name -> nodes.computeIfAbsent(name, hardware::bareNode));
    if (nodes.isEmpty()) {
      nodes.put(ONLY_NODE, hardware.bareNode(ONLY_NODE));
    }
    List<Node> read = new ArrayList<>();
    nodes.forEach((name, node) -> read.add(node(node, name, entries, warnings)));
    ReadTopology named = warnings.of(source, read);
    return new ReadTopology(named.cluster(), named.warnings(), unnamed(entries));
  }

  /** Returns the node of the lines without names; what they assume is said of those with names. */
  private Optional<Node> unnamed(List<GresConfLine> entries) {
    List<GresConfLine> ofAll = entries.stream().filter(line -> line.nodes().isEmpty()).toList();
    return ofAll.stream().anyMatch(GresConfLine::isOfGpus)
        ? Optional.of(node(hardware.bareNode(ONLY_NODE), ONLY_NODE, ofAll, new TopologyWarnings()))
        : Optional.empty();
  }

  private static List<GresConfLine> entries(
      String source, List<String> lines, TopologyWarnings warnings) {
    List<GresConfLine> entries = new ArrayList<>();
    for (List<Token> words : SlurmLines.of(source, lines)) {
      if (SlurmLines.isInclude(words)) {
        warnings.lineNotRead(Token.joined(words));
      } else {
        entries.add(GresConfLine.of(words));
      }
    }
    if (entries.isEmpty()) {
      throw new InputFormatException(source + ": must have at least one entry, but has none");
    }
    return entries;
  }

  private Node node(
      Node.Builder node, String name, List<GresConfLine> entries, TopologyWarnings warnings) {
    int gpus = 0;
    for (GresConfLine line : entries) {
      if (line.isAbout(name) && line.isOfGpus()) {
        int count = line.gpus();
        GpuModel model = line.type().map(GpuModel::of).orElse(hardware.model());
        node.gpus(count, model, new GpuMemory(hardware, warnings).of(model, name));
        gpus += count;
      } else if (line.isAbout(name)) {
        line.name().ifPresent(kind -> warnings.resourceLeftOut("gres/" + kind, name));
      }
    }
    if (gpus == 0) {
      entries.stream()
          .filter(line -> line.isAbout(name))
          .flatMap(line -> line.detection().stream())
          .findFirst()
          .ifPresent(detection -> refuse(detection, name));
    }
    return node.build();
  }

  /** Refuses GPUs that are known to nobody but the node itself. */
  private static void refuse(Token detection, String name) {
    throw detection.error(
        "GPUs must be told, for those of node '"
            + name
            + "' are found by the node itself; 'scontrol show nodes' tells them");
  }
}
