package io.github.liquidscheduler.lab.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rewrites the values and keys of a case by where they are. A place is a path such as {@code
 * jobs[].tasks[].node}; a star stands for a key that is a name.
 */
abstract class CaseRewriter {

  /** The objects whose keys are names. */
  private static final Set<String> NAMED =
      Set.of(
          "expect.jobs",
          "expect.counts",
          "expect.tasksRunning",
          "expect.tasks",
          "expect.nodes",
          "expect.groups",
          "expect.fairShare",
          "expect.fairShare.*",
          "expect.jobs.*.placement",
          "nodes[].labels",
          "nodes[].capacity",
          "jobs[].usage",
          "jobs[].usage.*",
          "running[].usage",
          "running[].usage.*",
          "jobs[].placement",
          "jobs[].groups[].perTask",
          "incoming.groups[].perTask",
          "groups[].perTask",
          "otherTasks[].requests",
          "usedBefore[].perTask",
          "usage",
          "current",
          "total");

  /** Returns what becomes of a text, number or truth. */
  abstract Object value(String path, Object value);

  /** Returns what becomes of the key of an object whose keys are names. */
  String key(String path, String key) {
    return key;
  }

  /** Returns the rewritten case. */
  final Map<String, Object> rewrite(Map<String, Object> stated) {
    return object("", stated);
  }

  private Map<String, Object> object(String path, Map<?, ?> stated) {
    Map<String, Object> made = new LinkedHashMap<>();
    stated.forEach(
        (name, value) -> {
          String key = name.toString();
          boolean isName = NAMED.contains(path);
          String inner = (path.isEmpty() ? "" : path + ".") + (isName ? "*" : key);
          made.put(isName ? key(path, key) : key, any(inner, key, value));
        });
    return made;
  }

  private Object any(String path, String key, Object value) {
    if (value instanceof Map<?, ?> map) {
      return object(path, map);
    }
    if (value instanceof List<?> list) {
      List<Object> made = new ArrayList<>();
      list.forEach(each -> made.add(any(path + "[]", key, each)));
      return made;
    }
    return path.endsWith("*") ? named(path, key, value) : value(path, value);
  }

  /** Returns what becomes of the value of a key that is a name. */
  Object named(String path, String key, Object value) {
    return value(path, value);
  }
}
