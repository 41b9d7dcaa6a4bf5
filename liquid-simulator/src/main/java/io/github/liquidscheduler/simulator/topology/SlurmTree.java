package io.github.liquidscheduler.simulator.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.simulator.topology.SlurmEntries.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Switches that hold nodes or switches. The level of a switch is its height: {@code leaf}, {@code
 * spine}, {@code core}, then {@code tier4} and so on.
 */
final class SlurmTree {

  private static final List<String> LEVELS = List.of("leaf", "spine", "core");

  private final Hardware hardware;
  private final Map<String, Switch> switches = new LinkedHashMap<>();
  private final NodePlaces nodes = new NodePlaces("a node");

  SlurmTree(Hardware hardware) {
    this.hardware = hardware;
  }

  ClusterTopology topology(List<Entry> entries) {
    entries.forEach(this::addSwitches);
    switches.values().forEach(this::hangChildren);
    int highest = switches.values().stream().mapToInt(this::height).max().orElse(0);
    List<String> levels = new ArrayList<>();
    for (int height = highest; height >= 0; height--) {
      levels.add(level(height));
    }
    ClusterTopology.Builder cluster =
        ClusterTopology.builder().levels(levels.toArray(String[]::new));
    switches.values().forEach(one -> add(one, cluster));
    return cluster.build();
  }

  private static String level(int height) {
    return height < LEVELS.size() ? LEVELS.get(height) : "tier" + (height + 1);
  }

  private void addSwitches(Entry entry) {
    Token names =
        entry.value("SwitchName").orElseThrow(() -> entry.first().error("must be a switch"));
    if (entry.has("Nodes") == entry.has("Switches")) {
      throw names.error("a switch must have Nodes or Switches, and not both");
    }
    List<Token> expanded = HostList.expand(names);
    if (expanded.size() > 1) {
      throw names.error("an entry must be of one switch");
    }
    Token name = expanded.getFirst();
    Switch before = switches.putIfAbsent(name.text(), new Switch(name, entry));
    if (before != null) {
      throw name.error("a switch must be named once, and was on " + before.name.place());
    }
  }

  private void hangChildren(Switch parent) {
    parent.entry.value("Switches").ifPresent(list -> hangChildren(parent, list));
  }

  private void hangChildren(Switch parent, Token list) {
    for (Token name : HostList.expand(list)) {
      Switch child = switches.get(name.text());
      if (child == null) {
        throw name.error("a switch must have an entry of its own");
      }
      if (child.parent != null) {
        throw name.error(
            "a switch must be the child of one other, and is the child of '"
                + child.parent.name.text()
                + "'");
      }
      child.parent = parent;
      parent.children.add(child);
    }
  }

  private int height(Switch one) {
    if (one.isVisited) {
      throw one.name.error("a switch must not hang on itself, however far down");
    }
    one.isVisited = true;
    int height = 0;
    for (Switch child : one.children) {
      height = Math.max(height, 1 + height(child));
    }
    one.isVisited = false;
    return height;
  }

  private void add(Switch one, ClusterTopology.Builder cluster) {
    Domain domain = hardware.domain(level(height(one)), one.name.text());
    cluster.domain(one.parent == null ? domain : domain.in(one.parent.name.text()));
    one.entry
        .value("Nodes")
        .ifPresent(list -> SlurmTopologyReader.addNodes(cluster, hardware, list, domain, nodes));
  }

  private static final class Switch {
    private final Token name;
    private final Entry entry;
    private final List<Switch> children = new ArrayList<>();
    private @Nullable Switch parent;
    private boolean isVisited;

    Switch(Token name, Entry entry) {
      this.name = name;
      this.entry = entry;
    }
  }
}
