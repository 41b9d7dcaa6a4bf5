package io.github.liquidscheduler.lab.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Permutes the names of a case: those of each kind (queues, cohorts, flavours, nodes, jobs, groups)
 * are given in the reverse of their order, in what is stated and in what is expected.
 *
 * <p>Where the peer breaks ties by name, the order in the case decides here: siblings of a division
 * keep the name by which they tie. Domains of a {@code topology-assignment} are called otherwise in
 * the same order, for there the smallest name is the rule that the case is about.
 */
final class CaseRenaming extends CaseRewriter {

  private static final String LABELS = "nodes[].labels.*";
  private static final String ALLOWED = "jobs[].tasks[].onlyNodes[]";

  private enum Kind {
    QUEUE,
    COHORT,
    FLAVOR,
    NODE,
    LABEL,
    JOB,
    TASK,
    GROUP
  }

  private static final Map<String, Kind> VALUES = new LinkedHashMap<>();
  private static final Map<String, Kind> KEYS = new LinkedHashMap<>();

  static {
    for (String path :
        List.of(
            "queues[].name",
            "queues[].parent",
            "jobs[].queue",
            "running[].queue",
            "incoming.queue")) {
      VALUES.put(path, Kind.QUEUE);
    }
    for (String path : List.of("cohorts[].name", "cohorts[].parent", "queues[].cohort")) {
      VALUES.put(path, Kind.COHORT);
    }
    for (String path :
        List.of(
            "flavors[].name",
            "queues[].quotas[].flavor",
            "cohorts[].quotas[].flavor",
            "usage.*[].flavor",
            "withRequest[].flavor")) {
      VALUES.put(path, Kind.FLAVOR);
    }
    for (String path :
        List.of(
            "nodes[].name",
            "jobs[].tasks[].node",
            "expect.jobs.*.node",
            "expect.tasks.*.node",
            "otherTasks[].node")) {
      VALUES.put(path, Kind.NODE);
    }
    for (String path :
        List.of(
            LABELS,
            ALLOWED,
            "jobs[].placement.*.domains[].path[]",
            "expect.jobs.*.placement.*.domains[].path[]",
            "expect.groups.*.domains[].path[]",
            "current.*.assignment.domains[].path[]",
            "usedBefore[].path[]",
            "failedNodes[]")) {
      VALUES.put(path, Kind.LABEL);
    }
    for (String path :
        List.of("jobs[].name", "running[].name", "incoming.name", "expect.evicted[].job")) {
      VALUES.put(path, Kind.JOB);
    }
    VALUES.put("jobs[].tasks[].name", Kind.TASK);
    VALUES.put("groups[].name", Kind.GROUP);
    VALUES.put("jobs[].groups[].name", Kind.GROUP);
    KEYS.put("usage", Kind.QUEUE);
    KEYS.put("expect.fairShare", Kind.QUEUE);
    KEYS.put("jobs[].usage", Kind.FLAVOR);
    KEYS.put("running[].usage", Kind.FLAVOR);
    KEYS.put("expect.jobs", Kind.JOB);
    KEYS.put("expect.counts", Kind.JOB);
    KEYS.put("expect.tasksRunning", Kind.JOB);
    KEYS.put("expect.tasks", Kind.TASK);
    KEYS.put("expect.nodes", Kind.NODE);
    KEYS.put("expect.groups", Kind.GROUP);
    KEYS.put("current", Kind.GROUP);
    KEYS.put("jobs[].placement", Kind.GROUP);
    KEYS.put("expect.jobs.*.placement", Kind.GROUP);
  }

  private final Map<Kind, Map<String, String>> names = new LinkedHashMap<>();
  private final Set<String> levels;
  private final boolean areTasksOfJobs;

  private CaseRenaming(Map<String, Object> stated) {
    boolean isAssignment = "topology-assignment".equals(stated.get("kind"));
    areTasksOfJobs = "cluster".equals(stated.get("kind"));
    levels = levels(stated);
    Map<Kind, TreeSet<String>> found = new LinkedHashMap<>();
    new CaseRewriter() {
      @Override
      Object named(String path, String key, Object value) {
        return path.equals(LABELS) && !levels.contains(key) ? value : value(path, value);
      }

      @Override
      Object value(String path, Object value) {
        Kind kind = path.startsWith("expect") || path.equals(ALLOWED) ? null : VALUES.get(path);
        if (kind != null && value instanceof String name) {
          found.computeIfAbsent(kind, any -> new TreeSet<>()).add(name);
        }
        return value;
      }
    }.rewrite(stated);
    found.forEach(
        (kind, all) -> {
          List<String> before = new ArrayList<>(all);
          Map<String, String> after = new LinkedHashMap<>();
          for (int i = 0; i < before.size(); i++) {
            boolean inOrder = isAssignment && (kind == Kind.LABEL || kind == Kind.NODE);
            after.put(
                before.get(i), inOrder ? "d%04d".formatted(i) : before.get(before.size() - 1 - i));
          }
          names.put(kind, after);
        });
    // A label may be the name of its node; of those that are, all must be.
    if (!isAssignment) {
      Map<String, String> labels = names.computeIfAbsent(Kind.LABEL, any -> new LinkedHashMap<>());
      Map<String, String> nodes = names.getOrDefault(Kind.NODE, Map.of());
      List<String> rest = new ArrayList<>(labels.keySet());
      rest.removeAll(nodes.keySet());
      for (int i = 0; i < rest.size(); i++) {
        labels.put(rest.get(i), rest.get(rest.size() - 1 - i));
      }
      labels.replaceAll((name, other) -> nodes.getOrDefault(name, other));
    }
  }

  static Map<String, Object> of(Map<String, Object> stated) {
    Map<String, Object> copy = CaseMutation.copy(stated);
    if ("division".equals(stated.get("kind"))) {
      for (Map<String, Object> queue : CaseParts.objects(copy, "queues")) {
        queue.putIfAbsent("tieName", queue.get("name"));
      }
    }
    Map<String, Object> renamed = new CaseRenaming(copy).rewrite(copy);
    if (copy.get("expect") instanceof Map<?, ?> expect && expect.containsKey("shares")) {
      renameShares(copy, renamed);
    }
    return renamed;
  }

  private static void renameShares(Map<String, Object> stated, Map<String, Object> renamed) {
    CaseRenaming names = new CaseRenaming(stated);
    for (Map<String, Object> share :
        CaseParts.objects(CaseParts.object(renamed, "expect"), "shares")) {
      Kind kind = "cohort".equals(share.get("type")) ? Kind.COHORT : Kind.QUEUE;
      share.computeIfPresent("name", (field, name) -> names.renamed(kind, name.toString()));
    }
  }

  private static Set<String> levels(Map<String, Object> stated) {
    Set<String> levels = new LinkedHashSet<>();
    List<Map<String, Object>> trees = new ArrayList<>(CaseParts.objects(stated, "topologies"));
    trees.add(stated);
    for (Map<String, Object> tree : trees) {
      if (tree.get("levels") instanceof List<?> list) {
        list.forEach(level -> levels.add(level.toString()));
      }
    }
    return levels;
  }

  @Override
  Object named(String path, String key, Object value) {
    return path.equals(LABELS) && !levels.contains(key) ? value : value(path, value);
  }

  @Override
  Object value(String path, Object value) {
    Kind kind = VALUES.get(path);
    return kind != null && value instanceof String name ? renamed(kind, name) : value;
  }

  @Override
  String key(String path, String key) {
    Kind kind = KEYS.get(path);
    return kind == null ? key : renamed(kind, key);
  }

  private String renamed(Kind kind, String name) {
    if (kind == Kind.TASK && areTasksOfJobs && name.contains("-")) {
      int end = name.lastIndexOf('-');
      String job = name.substring(0, end);
      return renamed(Kind.JOB, job) + name.substring(end);
    }
    return names.getOrDefault(kind, Map.of()).getOrDefault(name, name);
  }
}
