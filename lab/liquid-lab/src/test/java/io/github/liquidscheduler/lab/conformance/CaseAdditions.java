package io.github.liquidscheduler.lab.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Adds a node on which nothing is left, and a queue in which no job is. */
final class CaseAdditions {

  private CaseAdditions() {}

  static Map<String, Object> of(Map<String, Object> stated) {
    Map<String, Object> copy = CaseMutation.copy(stated);
    if (copy.containsKey("nodes")) {
      addNode(copy);
    }
    if (copy.containsKey("queues")) {
      addQueue(copy);
    }
    return copy;
  }

  private static void addNode(Map<String, Object> stated) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("name", "unrelated node");
    if ("cluster".equals(stated.get("kind"))) {
      node.put("gpus", 0.0);
      node.put("cpu", 0.0);
      node.put("memory", 0.0);
      // Where GPUs must be of one size it has none.
    } else {
      Map<String, Object> labels = new LinkedHashMap<>();
      if (stated.get("levels") instanceof List<?> levels) {
        levels.forEach(level -> labels.put(level.toString(), "unrelated " + level));
      }
      CaseParts.object(stated, "poolLabels").forEach(labels::put);
      labels.putIfAbsent("kubernetes.io/hostname", "unrelated node");
      node.put("labels", labels);
      node.put("capacity", new LinkedHashMap<>(Map.of("cpu", 0.0)));
    }
    add(stated, "nodes", node);
    if (stated.containsKey("levels")) {
      CaseParts.object(node, "capacity").put("cpu", 8.0);
      CaseParts.object(node, "capacity").put("pods", 1.0);
      Map<String, Object> task = new LinkedHashMap<>();
      task.put("node", "unrelated node");
      task.put("requests", new LinkedHashMap<>(Map.of("cpu", 8.0)));
      add(stated, "otherTasks", task);
    }
  }

  private static void addQueue(Map<String, Object> stated) {
    Map<String, Object> queue = new LinkedHashMap<>();
    queue.put("name", "unrelated queue");
    if (stated.get("kind") instanceof String kind
        && List.of("cluster", "division").contains(kind)) {
      Map<String, Object> none =
          Map.of("deserved", 0.0, "limit", -1.0, "overQuotaWeight", 1.0, "requested", 0.0);
      queue.put("gpu", none);
      queue.put("created", 1e6);
    } else {
      CaseParts.objects(stated, "queues").stream()
          .filter(other -> other.containsKey("cohort"))
          .findFirst()
          .ifPresent(other -> queue.put("cohort", other.get("cohort")));
    }
    add(stated, "queues", queue);
  }

  private static void add(Map<String, Object> stated, String field, Map<String, Object> part) {
    List<Object> parts = new ArrayList<>(CaseParts.objects(stated, field));
    parts.add(part);
    stated.put(field, parts);
  }
}
