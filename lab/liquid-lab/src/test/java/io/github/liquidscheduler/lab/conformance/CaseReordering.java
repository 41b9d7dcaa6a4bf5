package io.github.liquidscheduler.lab.conformance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reorders what is equal: of jobs and groups that are the same but for their names the last comes
 * first, and takes the outcome of the first. What times or names tell apart changes places too.
 */
final class CaseReordering {

  private CaseReordering() {}

  static Map<String, Object> of(Map<String, Object> stated) {
    Map<String, Object> copy = CaseMutation.copy(stated);
    for (String list : List.of("jobs", "running", "groups")) {
      swapEqual(copy, CaseParts.objects(copy, list));
    }
    for (String list : List.of("jobs", "running")) {
      reverse(CaseParts.objects(copy, list));
    }
    if ("division".equals(stated.get("kind"))) {
      Collections.reverse(CaseParts.objects(copy, "queues"));
    }
    if ("topology-assignment".equals(stated.get("kind"))) {
      Collections.reverse(CaseParts.objects(copy, "nodes"));
    }
    return copy;
  }

  /** Gives equal parts each other's names; what is expected goes with the place, not the name. */
  private static void swapEqual(Map<String, Object> stated, List<Map<String, Object>> parts) {
    Map<Map<String, Object>, List<Map<String, Object>>> equal = new LinkedHashMap<>();
    for (Map<String, Object> part : parts) {
      Map<String, Object> key = new LinkedHashMap<>(part);
      key.keySet().removeAll(List.of("name", "uid"));
      if (!key.containsKey("tasks")) {
        equal.computeIfAbsent(key, any -> new ArrayList<>()).add(part);
      }
    }
    for (List<Map<String, Object>> same : equal.values()) {
      for (int i = 0; i < same.size() / 2; i++) {
        swap(stated, same.get(i), same.get(same.size() - 1 - i));
      }
    }
  }

  private static void swap(
      Map<String, Object> stated, Map<String, Object> one, Map<String, Object> other) {
    Object name = Objects.requireNonNull(one.get("name"));
    Object otherName = Objects.requireNonNull(other.get("name"));
    one.put("name", otherName);
    other.put("name", name);
    Map<String, Object> expect = CaseParts.object(stated, "expect");
    for (String field : List.of("jobs", "groups", "counts", "tasksRunning")) {
      Map<String, Object> outcomes = CaseParts.object(expect, field);
      Object outcome = outcomes.get(name.toString());
      Object otherOutcome = outcomes.get(otherName.toString());
      if (outcome != null && otherOutcome != null) {
        outcomes.put(name.toString(), otherOutcome);
        outcomes.put(otherName.toString(), outcome);
      }
    }
    for (Map<String, Object> victim : CaseParts.objects(expect, "evicted")) {
      Object job = victim.get("job");
      victim.put("job", name.equals(job) ? otherName : otherName.equals(job) ? name : job);
    }
  }

  /** Reverses a list, but for those that nothing but their order tells apart. */
  private static void reverse(List<Map<String, Object>> parts) {
    Map<List<Object>, List<Map<String, Object>>> byTime = new LinkedHashMap<>();
    for (Map<String, Object> part : parts) {
      byTime.computeIfAbsent(times(part), any -> new ArrayList<>()).add(part);
    }
    List<Map<String, Object>> reversed = new ArrayList<>();
    new ArrayList<>(byTime.values()).reversed().forEach(reversed::addAll);
    for (int i = 0; i < parts.size(); i++) {
      parts.set(i, reversed.get(i));
    }
  }

  private static List<Object> times(Map<String, Object> part) {
    List<Object> times = new ArrayList<>();
    for (String field : List.of("ageMinutes", "createdAt", "admittedAt", "uid")) {
      times.add(part.getOrDefault(field, 0.0));
    }
    times.add(part.getOrDefault("state", ""));
    return times;
  }
}
