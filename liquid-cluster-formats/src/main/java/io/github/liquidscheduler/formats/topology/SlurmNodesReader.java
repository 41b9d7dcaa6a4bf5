package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.NodePlaces;
import io.github.liquidscheduler.formats.input.PlacedRefusal;
import io.github.liquidscheduler.formats.input.Token;
import io.github.liquidscheduler.formats.slurm.HostList;
import io.github.liquidscheduler.formats.slurm.SlurmLines;
import io.github.liquidscheduler.formats.slurm.SlurmNodeState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the nodes of {@code slurm.conf}, or what {@code scontrol show nodes} prints, in lines or
 * with one line a node. Nodes whose state says that they run no jobs are left out. A node without
 * {@code Gres} has no GPU.
 */
record SlurmNodesReader(Hardware hardware) implements TopologyReader {

  private static final Pattern PRINTED =
      Pattern.compile("\\s*NodeName=\\S+\\s+Arch=.*|.*\\sCPUAlloc=.*");
  private static final Pattern VALUE = Pattern.compile("(?<!\\S)([A-Za-z]+)=(\\S*)");

  /** Free text, which may hold anything, and comes after all that is read. */
  private static final Pattern REMARK = Pattern.compile("(?<!\\S)(?:Reason|Comment|Extra)=.*");

  @Override
  public ReadTopology read(String source, List<String> lines) {
    TopologyWarnings warnings = new TopologyWarnings();
    Map<String, Token> downNodes = new LinkedHashMap<>();
    List<Entry> entries =
        lines.stream().anyMatch(line -> PRINTED.matcher(line).matches())
            ? printed(source, lines)
            : configured(source, lines, downNodes, warnings);
    if (entries.isEmpty()) {
      throw new InputFormatException(source + ": must have an entry of NodeName, but has none");
    }
    List<Node> nodes = new ArrayList<>();
    NodePlaces places = new NodePlaces("a node");
    for (Entry entry : entries) {
      SlurmNode node = new SlurmNode(entry.values, hardware, warnings);
      for (Token name : HostList.expand(entry.names)) {
        places.add(name);
        Token state = downNodes.getOrDefault(name.text(), entry.values.get("state"));
        if (state == null || SlurmNodeState.runsJobs(state.text())) {
          nodes.add(
              PlacedRefusal.at(name.source() + ":" + name.line(), () -> node.node(name.text())));
        } else {
          warnings.nodeLeftOut(state.text(), name.text());
        }
      }
    }
    return warnings.of(source, nodes);
  }

  /** Returns the values of each node that scontrol printed; its text has no comments. */
  private static List<Entry> printed(String source, List<String> lines) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher values = VALUE.matcher(REMARK.matcher(lines.get(i)).replaceFirst(""));
      while (values.find()) {
        String key = values.group(1).toLowerCase(Locale.ROOT);
        Token value = new Token(source, i + 1, values.start(2) + 1, values.group(2));
        if (key.equals("nodename")) {
          entries.add(new Entry(value, new LinkedHashMap<>()));
        } else if (!entries.isEmpty()) {
          entries.getLast().values.putIfAbsent(key, value);
        }
      }
    }
    return entries;
  }

  /**
   * Returns the values of each line of nodes, over those of the {@code DEFAULT} lines before it,
   * which add up.
   */
  private static List<Entry> configured(
      String source, List<String> lines, Map<String, Token> downNodes, TopologyWarnings warnings) {
    List<Entry> entries = new ArrayList<>();
    Map<String, Token> defaults = new LinkedHashMap<>();
    for (List<Token> words : SlurmLines.of(source, lines)) {
      Map<String, Token> values = SlurmLines.values(words);
      @Nullable Token down = values.get("downnodes");
      @Nullable Token names = values.get("nodename");
      if (SlurmLines.isInclude(words)) {
        warnings.lineNotRead(Token.joined(words));
      } else if (down != null) {
        Token state = values.getOrDefault("state", down.with("DOWN"));
        HostList.expand(down).forEach(name -> downNodes.put(name.text(), state));
      } else if (names != null && names.text().equalsIgnoreCase("DEFAULT")) {
        defaults.putAll(values);
      } else if (names != null) {
        Map<String, Token> all = new LinkedHashMap<>(defaults);
        all.putAll(values);
        entries.add(new Entry(names, all));
      }
    }
    return entries;
  }

  /** The names of some nodes, and their values by the key in lower case. */
  private record Entry(Token names, Map<String, Token> values) {}
}
