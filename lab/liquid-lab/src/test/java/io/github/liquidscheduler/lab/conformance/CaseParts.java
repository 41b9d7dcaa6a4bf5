package io.github.liquidscheduler.lab.conformance;

import java.util.List;
import java.util.Map;

/** The parts of a case that is made of maps and lists; live. */
final class CaseParts {

  private CaseParts() {}

  /** Returns an object of a case. */
  @SuppressWarnings("unchecked") // The keys of JSON objects are texts.
  static Map<String, Object> object(Map<String, Object> stated, String field) {
    return (Map<String, Object>) stated.getOrDefault(field, Map.of());
  }

  /** Returns the objects of a list. */
  @SuppressWarnings("unchecked") // The keys of JSON objects are texts.
  static List<Map<String, Object>> objects(Map<String, Object> stated, String field) {
    return (List<Map<String, Object>>) stated.getOrDefault(field, List.of());
  }
}
