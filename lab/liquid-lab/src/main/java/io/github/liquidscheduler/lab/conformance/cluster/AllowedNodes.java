package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.lab.conformance.peer.DistinctNames;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that tasks may be on: those of some names, or with a label of such a value. Nodes have
 * a label for each such list of names that some task states and that allows them.
 */
final class AllowedNodes {

  static final String FIELD = "onlyNodes";

  private final Map<List<String>, String> labels = new LinkedHashMap<>();

  /** Finds the lists that the tasks of a case state; no node has their labels already. */
  AllowedNodes(Facts facts) {
    List<String> stated = new ArrayList<>();
    facts.objects("nodes").forEach(node -> stated.addAll(node.object("labels").names()));
    DistinctNames names = new DistinctNames(stated);
    for (Facts job : facts.objects("jobs")) {
      for (Facts task : job.objects("tasks")) {
        if (!task.list(FIELD).isEmpty()) {
          labels.computeIfAbsent(task.texts(FIELD), any -> names.take(FIELD));
        }
      }
    }
  }

  /** Returns the labels that a node of a task must carry. */
  Map<String, String> labels(Facts task) {
    String label = labels.get(task.texts(FIELD));
    return label == null ? Map.of() : Map.of(label, "allowed");
  }

  /** Returns the labels that a node has for the tasks that are allowed on it. */
  Map<String, String> labelsOf(Facts node) {
    Map<String, String> own = new LinkedHashMap<>();
    labels.forEach(
        (names, label) -> {
          if (isAllowed(node, names)) {
            own.put(label, "allowed");
          }
        });
    return own;
  }

  private static boolean isAllowed(Facts node, List<String> names) {
    Facts labels = node.object("labels");
    return names.contains(node.text("name"))
        || labels.names().stream().map(labels::text).anyMatch(names::contains);
  }
}
