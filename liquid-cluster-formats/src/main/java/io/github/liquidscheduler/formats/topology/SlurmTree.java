package io.github.liquidscheduler.formats.topology;

import com.google.common.graph.GraphBuilder;
import com.google.common.graph.MutableGraph;
import com.google.common.graph.Traverser;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.formats.input.NodePlaces;
import io.github.liquidscheduler.formats.input.Token;
import io.github.liquidscheduler.formats.slurm.HostList;
import io.github.liquidscheduler.formats.slurm.SlurmEntries.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Switches that hold nodes or switches. The level of a switch is its height: {@code leaf}, {@code
 * spine}, {@code core}, then {@code tier4} and so on.
 */
final class SlurmTree {

  /** How many switches of a ring are named. */
  private static final int LONGEST = 20;

  private static final List<String> LEVELS = List.of("leaf", "spine", "core");

  private final Hardware hardware;
  private final Map<String, Switch> switches = new LinkedHashMap<>();
  private final MutableGraph<String> children =
      GraphBuilder.directed().allowsSelfLoops(true).build();
  private final Map<String, Integer> heights = new LinkedHashMap<>();
  private final NodePlaces nodes = new NodePlaces("a node");

  SlurmTree(Hardware hardware) {
    this.hardware = hardware;
  }

  ClusterTopology topology(List<Entry> entries) {
    entries.forEach(this::addSwitches);
    switches.values().forEach(this::addChildren);
    measureHeights();
    int highest = heights.values().stream().mapToInt(height -> height).max().orElse(0);
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
    children.addNode(name.text());
  }

  private void addChildren(Switch parent) {
    parent.entry.value("Switches").ifPresent(list -> addChildren(parent, list));
  }

  private void addChildren(Switch parent, Token list) {
    for (Token name : HostList.expand(list)) {
      if (!switches.containsKey(name.text())) {
        throw name.error("a switch must have an entry of its own");
      }
      for (String other : children.predecessors(name.text())) {
        throw name.error(
            "a switch must be the child of one other, and is the child of '" + other + "'");
      }
      children.putEdge(parent.name.text(), name.text());
    }
  }

  /** Measures from the leaves up; a switch that no root reaches is below itself. */
  private void measureHeights() {
    List<String> roots =
        switches.keySet().stream().filter(name -> children.inDegree(name) == 0).toList();
    for (String name : Traverser.forGraph(children).depthFirstPostOrder(roots)) {
      heights.put(
          name,
          children.successors(name).stream()
              .mapToInt(child -> 1 + heights.getOrDefault(child, 0))
              .max()
              .orElse(0));
    }
    for (Switch one : switches.values()) {
      @Nullable Integer height = heights.get(one.name.text());
      if (height == null) {
        requireNotBelowItself(one);
      } else if (height == ClusterTopology.MAX_LEVELS) {
        throw one.name.error(
            "switches must be in at most " + ClusterTopology.MAX_LEVELS + " levels");
      }
    }
  }

  private void requireNotBelowItself(Switch one) {
    Set<String> ring = new LinkedHashSet<>();
    Optional<String> at = parent(one.name.text());
    while (at.isPresent() && !at.get().equals(one.name.text()) && ring.add(at.get())) {
      at = parent(at.get());
    }
    if (at.equals(Optional.of(one.name.text()))) {
      String way = ring.stream().limit(LONGEST).collect(Collectors.joining(", "));
      throw one.name.error(
          "a switch must not hang on itself"
              + (ring.isEmpty() ? "" : ", by way of " + way)
              + (ring.size() > LONGEST ? ", ..." : ""));
    }
  }

  private Optional<String> parent(String name) {
    return children.predecessors(name).stream().findFirst();
  }

  private void add(Switch one, ClusterTopology.Builder cluster) {
    String name = one.name.text();
    Domain domain = hardware.domain(level(heights.getOrDefault(name, 0)), name);
    cluster.domain(children.predecessors(name).stream().findFirst().map(domain::in).orElse(domain));
    one.entry
        .value("Nodes")
        .ifPresent(list -> SlurmTopologyReader.addNodes(cluster, hardware, list, domain, nodes));
  }

  private record Switch(Token name, Entry entry) {}
}
