package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.lab.conformance.peer.Facts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that a task may be on: those of some names, or with a label of such a value. Nodes have
 * a label for each such list of names that some task states and that allows them.
 */
final class AllowedNodes {

  static final String FIELD = "onlyNodes";

  private AllowedNodes() {}

  /** Returns the labels that a node of a task must carry. */
  static Map<String, String> labels(Facts task) {
    List<String> names = task.has(FIELD) ? task.texts(FIELD) : List.of();
    return names.isEmpty() ? Map.of() : Map.of(FIELD + " " + names, "allowed");
  }

  /** Returns the labels that a node has for the tasks of a case that are allowed on it. */
  static Map<String, String> labelsOf(Facts node, Facts facts) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (Facts job : facts.objects("jobs")) {
      for (Facts task : job.objects("tasks")) {
        if (task.has(FIELD) && isAllowed(node, task.texts(FIELD))) {
          labels.putAll(labels(task));
        }
      }
    }
    return labels;
  }

  private static boolean isAllowed(Facts node, List<String> names) {
    Facts labels = node.object("labels");
    return names.contains(node.text("name"))
        || labels.names().stream().map(labels::text).anyMatch(names::contains);
  }
}
