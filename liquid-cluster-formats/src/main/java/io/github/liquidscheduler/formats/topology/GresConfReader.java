package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads {@code gres.conf} of Slurm: the GPUs of nodes, of which several lines add up. A line
 * without {@code NodeName} is about all nodes that the file names, or about one called {@code node}
 * if it names none. CPUs and memory are not told.
 */
record GresConfReader(Hardware hardware) implements TopologyReader {

  private static final String ONLY_NODE = "node";
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,6}");
  private static final Set<String> KEYS =
      Set.of(
          "nodename",
          "name",
          "type",
          "file",
          "multiplefiles",
          "count",
          "autodetect",
          "cores",
          "cpus",
          "links",
          "flags",
          "plugin",
          "ignore");

  @Override
  public ReadTopology read(String source, List<String> lines) {
    TopologyWarnings warnings = new TopologyWarnings();
    List<Map<String, Token>> entries = entries(source, lines, warnings);
    Set<String> names = new LinkedHashSet<>();
    entries.forEach(
        entry ->
            named(entry)
                .ifPresent(list -> HostList.expand(list).forEach(n -> names.add(n.text()))));
    if (names.isEmpty()) {
      names.add(ONLY_NODE);
    }
    Map<String, Node.Builder> nodes = new LinkedHashMap<>();
    Set<String> withGpus = new LinkedHashSet<>();
    names.forEach(name -> nodes.put(name, hardware.bareNode(name)));
    for (Map<String, Token> entry : entries) {
      for (String name : namedOr(entry, names)) {
        if (add(nodes.get(name), name, entry, warnings)) {
          withGpus.add(name);
        }
      }
    }
    for (Map<String, Token> entry : entries) {
      requireTold(entry, namedOr(entry, names), withGpus);
    }
    return warnings.of(source, nodes.values().stream().map(Node.Builder::build).toList());
  }

  private static List<Map<String, Token>> entries(
      String source, List<String> lines, TopologyWarnings warnings) {
    List<Map<String, Token>> entries = new ArrayList<>();
    for (List<Token> words : SlurmLines.of(source, lines)) {
      if (SlurmLines.isInclude(words)) {
        warnings.lineNotRead(Token.joined(words));
      } else {
        Map<String, Token> values = SlurmLines.values(words);
        if (values.size() < words.size() || !KEYS.containsAll(values.keySet())) {
          throw words
              .getFirst()
              .error("a line must be as in NodeName=n1 Name=gpu Type=a100 Count=8");
        }
        entries.add(values);
      }
    }
    if (entries.isEmpty()) {
      throw new InputFormatException(source + ": must have at least one entry, but has none");
    }
    return entries;
  }

  /** Adds what a line tells to a node; returns true if that is GPUs. */
  private boolean add(
      Node.Builder node, String name, Map<String, Token> entry, TopologyWarnings warnings) {
    Token kind = entry.get("name");
    if (kind == null) {
      return false;
    }
    if (!kind.text().equals("gpu")) {
      warnings.resourceLeftOut("gres/" + kind.text(), name);
      return false;
    }
    int count = count(entry);
    GpuModel model =
        Optional.ofNullable(entry.get("type"))
            .map(type -> GpuModel.of(type.text()))
            .orElse(hardware.model());
    node.gpus(count, model, new GpuMemory(hardware, warnings).of(model, name));
    return count > 0;
  }

  /** Returns the number of devices: of files, if there are, and of one for a set of files. */
  private static int count(Map<String, Token> entry) {
    Token count = entry.get("count");
    Token files = entry.get("file");
    if (count != null && !COUNT.matcher(count.text()).matches()) {
      throw count.error("a number of GPUs must be whole and not negative");
    }
    if (count == null && files == null) {
      return entry.containsKey("multiplefiles") || !isDetected(entry) ? 1 : 0;
    }
    int devices = files == null ? Integer.parseInt(count.text()) : HostList.expand(files).size();
    if (files != null && count != null && Integer.parseInt(count.text()) != devices) {
      throw count.error("Count must be that of the files, which is " + devices);
    }
    if (devices > Node.MAX_GPUS) {
      throw entry
          .getOrDefault("count", entry.get("file"))
          .error("a node must have at most " + Node.MAX_GPUS + " GPUs");
    }
    return devices;
  }

  /** Refuses nodes whose GPUs are known to nobody but the node itself. */
  private static void requireTold(
      Map<String, Token> entry, Set<String> names, Set<String> withGpus) {
    Token detected = entry.get("autodetect");
    if (detected != null && isDetected(entry)) {
      for (String name : names) {
        if (!withGpus.contains(name)) {
          throw detected.error(
              "GPUs must be told, for those of node '"
                  + name
                  + "' are found by the node itself; 'scontrol show nodes' tells them");
        }
      }
    }
  }

  private static boolean isDetected(Map<String, Token> entry) {
    Token detected = entry.get("autodetect");
    return detected != null && !detected.text().equalsIgnoreCase("off");
  }

  private static Optional<Token> named(Map<String, Token> entry) {
    return Optional.ofNullable(entry.get("nodename"));
  }

  private static Set<String> namedOr(Map<String, Token> entry, Set<String> all) {
    return named(entry)
        .<Set<String>>map(
            list -> {
              Set<String> names = new LinkedHashSet<>();
              HostList.expand(list).forEach(name -> names.add(name.text()));
              return names;
            })
        .orElse(all);
  }
}
