package io.github.liquidscheduler.estimator.resource;

import com.google.common.collect.Range;
import com.google.common.collect.RangeMap;
import com.google.common.collect.TreeRangeMap;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The device memory below which tasks are known to fail. A task with the same signature needs at
 * least what a smaller batch needed, so a report counts for every batch that is as large or larger.
 */
final class OutOfMemoryFloors {
  /** What is asked for after a failure, relative to what was not enough. */
  private static final double RAISE = 1.25;

  private final Map<String, RangeMap<Integer, Double>> bySignature = new LinkedHashMap<>();

  void raise(TaskProfile task, double grantedBytes) {
    bySignature
        .computeIfAbsent(task.signature(), key -> TreeRangeMap.create())
        .merge(Range.atLeast(task.batch().orElse(0)), grantedBytes * RAISE, Math::max);
  }

  /** Returns the least to request, in bytes; 0 if nothing failed. */
  double floor(TaskProfile task) {
    RangeMap<Integer, Double> floors = bySignature.get(task.signature());
    Double floor = floors == null ? null : floors.get(task.batch().orElse(0));
    return floor == null ? 0 : floor;
  }
}
