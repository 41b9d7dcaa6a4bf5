package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.NodePlaces;
import io.github.liquidscheduler.formats.input.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads the hosts of Alibaba's Lingjun cluster (Crux, SIGCOMM 24): for each the core ({@code dsw}),
 * aggregation ({@code psw}) and top-of-rack switch ({@code asw}). Names of lower switches come
 * again under different higher ones, so a switch is known by the way down to it, such as {@code
 * G6/P10/S14}.
 */
record LingjunTopologyReader(Hardware hardware) implements TopologyReader {

  static final String HEADER = "ip,DSW,PSW,ASW";

  private static final List<String> LEVELS = List.of("dsw", "psw", "asw");

  @Override
  public ReadTopology read(String source, List<String> lines) {
    if (lines.isEmpty() || !lines.getFirst().strip().equals(HEADER)) {
      throw new Token(source, 1, 1, lines.isEmpty() ? "" : lines.getFirst())
          .error("the first line must be '" + HEADER + "'");
    }
    ClusterTopology.Builder cluster =
        ClusterTopology.builder().levels(LEVELS.toArray(String[]::new));
    NodePlaces hosts = new NodePlaces("a host");
    DomainNames names = new DomainNames(Set.of());
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        add(new Token(source, i + 1, 1, lines.get(i).strip()), hosts, names, cluster);
      }
    }
    if (names.isEmpty()) {
      throw new InputFormatException(source + ": must have at least one host, but has none");
    }
    return new ReadTopology(cluster.build(), List.of());
  }

  private void add(
      Token line, NodePlaces hosts, DomainNames names, ClusterTopology.Builder cluster) {
    String[] values = line.text().split(",", -1);
    if (values.length != LEVELS.size() + 1) {
      throw line.error(
          "a line must have " + (LEVELS.size() + 1) + " values, and has " + values.length);
    }
    Token host = line.part(0, values[0].length());
    requireText(host);
    hosts.add(host);
    List<DomainNames.Step> way = new ArrayList<>();
    String parent = "";
    int column = values[0].length() + 1;
    for (int level = 0; level < LEVELS.size(); level++) {
      Token name = line.part(column, column + values[level + 1].length());
      requireText(name);
      way.add(new DomainNames.Step(LEVELS.get(level), name.text()));
      parent = addSwitch(way, parent, names, cluster);
      column += name.text().length() + 1;
    }
    cluster.node(hardware.node(host.text()).domain(parent).build());
  }

  private static void requireText(Token value) {
    if (value.text().isBlank()) {
      throw value.error("a value must not be blank");
    }
  }

  /** Returns the name of the switch at the end of a way, and adds it if it is new. */
  private String addSwitch(
      List<DomainNames.Step> way,
      String parent,
      DomainNames names,
      ClusterTopology.Builder cluster) {
    boolean isNew = !names.has(way);
    String id = names.name(way);
    if (isNew) {
      cluster.domain(hardware.domain(way.getLast().level(), id, parent));
    }
    return id;
  }
}
