package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names domains by the way to them: the names on it, joined by slashes. A name that other domains
 * have already, as of another level or because names have slashes themselves, gets the level behind
 * it, so that nobody is taken for another. Mutable.
 */
final class DomainNames {

  private final Map<List<Step>, String> names = new LinkedHashMap<>();
  private final Set<String> taken;

  /** A domain, below another. */
  record Step(String level, String name) {}

  /** Begins with names that are taken. */
  DomainNames(Collection<String> taken) {
    this.taken = new LinkedHashSet<>(taken);
  }

  /** Returns whether none has a name. */
  boolean isEmpty() {
    return names.isEmpty();
  }

  /**
   * Returns the name of the domain at the end of a way from the top, always the same. A domain that
   * is new is added to the cluster below {@code parent}.
   */
  String add(List<Step> way, String parent, Hardware hardware, ClusterTopology.Builder cluster) {
    boolean isNew = !names.containsKey(way);
    String name = names.computeIfAbsent(List.copyOf(way), this::distinct);
    if (isNew) {
      cluster.domain(hardware.domain(way.getLast().level(), name, parent));
    }
    return name;
  }

  private String distinct(List<Step> way) {
    String joined = way.stream().map(Step::name).collect(Collectors.joining("/"));
    String name = joined;
    while (!taken.add(name)) {
      name = name + " (" + way.getLast().level() + ")";
    }
    return name;
  }
}
