package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.NodePlaces;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads the hosts of Alibaba's Lingjun cluster (Crux, SIGCOMM 24): for each the core ({@code dsw}),
 * aggregation ({@code psw}) and top-of-rack switch ({@code asw}). Names of lower switches come
 * again under different higher ones, so a switch is known by the way down to it, such as {@code
 * G6/P10/S14}.
 */
record LingjunTopologyReader(Hardware hardware) implements TopologyReader {

  static final String HEADER = "ip,DSW,PSW,ASW";

  private static final List<String> COLUMNS = List.of(HEADER.split(",", -1));
  private static final List<String> LEVELS = List.of("dsw", "psw", "asw");

  @Override
  public ReadTopology read(String source, List<String> lines) {
    Rows rows = Rows.ofLines(source, lines, COLUMNS);
    ClusterTopology.Builder cluster =
        ClusterTopology.builder().levels(LEVELS.toArray(String[]::new));
    NodePlaces hosts = new NodePlaces("a host");
    DomainNames names = new DomainNames(Set.of());
    for (Row row = rows.next(); row != null; row = rows.next()) {
      String host = hosts.add(row, COLUMNS.getFirst());
      cluster.node(hardware.node(host).domain(addSwitches(row, names, cluster)).build());
    }
    if (names.isEmpty()) {
      throw new InputFormatException(source + ": must have at least one host, but has none");
    }
    return new ReadTopology(cluster.build(), List.of());
  }

  /** Adds the switches above a host that are new, and returns the name of the lowest. */
  private String addSwitches(Row row, DomainNames names, ClusterTopology.Builder cluster) {
    List<DomainNames.Step> way = new ArrayList<>();
    String parent = "";
    for (String level : LEVELS) {
      way.add(new DomainNames.Step(level, row.text(level.toUpperCase(Locale.ROOT))));
      parent = names.add(way, parent, hardware, cluster);
    }
    return parent;
  }
}
