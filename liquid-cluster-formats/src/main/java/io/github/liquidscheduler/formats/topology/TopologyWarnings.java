package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.InputFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Collects the warnings of a reading, each once with all its nodes. Mutable. */
final class TopologyWarnings {

  private final Map<Subject, Set<String>> nodes = new LinkedHashMap<>();

  private record Subject(TopologyWarning.Kind kind, String what) {}

  void nodeLeftOut(String state, String node) {
    add(TopologyWarning.Kind.NODES_LEFT_OUT, state).add(node);
  }

  void resourceLeftOut(String resource, String node) {
    add(TopologyWarning.Kind.RESOURCE_LEFT_OUT, resource).add(node);
  }

  void memoryAssumed(String amount, String node) {
    add(TopologyWarning.Kind.MEMORY_ASSUMED, amount).add(node);
  }

  void lineNotRead(String line) {
    add(TopologyWarning.Kind.LINE_NOT_READ, line);
  }

  /**
   * Returns a cluster of nodes that have no levels, with these warnings.
   *
   * @throws InputFormatException if all nodes were left out
   */
  ReadTopology of(String source, List<Node> kept) {
    return of(source, ClusterTopology.builder().nodes(kept), !kept.isEmpty());
  }

  /** Returns the cluster of a builder that has nodes or, which is refused, has none. */
  ReadTopology of(String source, ClusterTopology.Builder cluster, boolean hasNodes) {
    if (!hasNodes) {
      throw new InputFormatException(
          source
              + ": must have at least one node that runs jobs, but has none"
              + warnings().stream().map(warning -> "; " + warning).collect(Collectors.joining()));
    }
    return new ReadTopology(cluster.build(), warnings());
  }

  private List<TopologyWarning> warnings() {
    List<TopologyWarning> all = new ArrayList<>();
    nodes.forEach(
        (subject, names) ->
            all.add(new TopologyWarning(subject.kind, subject.what, new ArrayList<>(names))));
    return all;
  }

  private Set<String> add(TopologyWarning.Kind kind, String what) {
    return nodes.computeIfAbsent(new Subject(kind, what), subject -> new LinkedHashSet<>());
  }
}
