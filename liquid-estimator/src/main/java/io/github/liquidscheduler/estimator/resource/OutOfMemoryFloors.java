package io.github.liquidscheduler.estimator.resource;

import io.github.liquidscheduler.estimator.task.TaskProfile;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The device memory below which tasks are known to fail. A task with the same signature needs at
 * least what a smaller batch needed, so a report counts for every batch that is as large or larger.
 */
final class OutOfMemoryFloors {
  /** What is asked for after a failure, relative to what was not enough. */
  private static final double RAISE = 1.25;

  private final Map<String, NavigableMap<Integer, Double>> bySignature = new LinkedHashMap<>();

  void raise(TaskProfile task, double grantedBytes) {
    bySignature
        .computeIfAbsent(task.signature(), key -> new TreeMap<>())
        .merge(task.batch().orElse(0), grantedBytes * RAISE, Math::max);
  }

  /** Returns the least to request, in bytes; 0 if nothing failed. */
  double floor(TaskProfile task) {
    NavigableMap<Integer, Double> floors = bySignature.get(task.signature());
    if (floors == null) {
      return 0;
    }
    return floors.headMap(task.batch().orElse(0), true).values().stream()
        .mapToDouble(Double::doubleValue)
        .max()
        .orElse(0);
  }
}
