package io.github.liquidscheduler.simulator.comparison;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Policies that ran on the same draws of one trace, on the same cluster and under the same
 * conditions; the first of them is what the others are compared with. The names, which tell the
 * setting from others, are in the order in which they are shown.
 */
public record ComparedSetting(Map<String, String> names, List<ComparedPolicy> policies) {

  /** Copies both. */
  public ComparedSetting {
    names = Collections.unmodifiableMap(new LinkedHashMap<>(names));
    policies = List.copyOf(policies);
  }

  /** Returns a setting that no other has to be told from. */
  public static ComparedSetting only(List<ComparedPolicy> policies) {
    return new ComparedSetting(Map.of(), policies);
  }
}
