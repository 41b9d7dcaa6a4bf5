package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The likeness of classes to those that were watched, which does not depend on what was seen of
 * them: 1 for the same class, less for other batch sizes of a family, 0 for other families. Watched
 * classes are numbered as they are met. Not thread-safe.
 */
final class ClassLikeness {

  private static final double OF_FAMILY = 0.9;
  private static final double DOUBLINGS = 2;
  private static final int MOST_WATCHED = 512;
  private static final int MOST_ROWS = 1024;

  private final Map<WorkloadClass, Integer> numbers = new HashMap<>();
  private final List<WorkloadClass> watched = new ArrayList<>();
  // Never iterated.
  private final Map<WorkloadClass, double[]> rows = new HashMap<>();

  /** Returns the number of a watched class. */
  int number(WorkloadClass each) {
    Integer known = numbers.putIfAbsent(each, watched.size());
    if (known == null) {
      watched.add(each);
      return watched.size() - 1;
    }
    return known;
  }

  /** Returns the likeness of a class to each watched one, by their features; not to be changed. */
  double[] to(WorkloadClass each) {
    double[] row = rows.get(each);
    if (row == null || row.length < watched.size()) {
      if (rows.size() >= MOST_ROWS) {
        rows.clear();
      }
      row = watched.stream().mapToDouble(other -> likeness(each, other)).toArray();
      rows.put(each, row);
    }
    return row;
  }

  /** Returns this, or one that has met no class if this has met too many. */
  ClassLikeness bounded() {
    return watched.size() > MOST_WATCHED ? new ClassLikeness() : this;
  }

  private static double likeness(WorkloadClass one, WorkloadClass other) {
    if (one.equals(other)) {
      return 1;
    }
    if (!one.family().equals(other.family())) {
      return 0;
    }
    double doublings = one.doublingsTo(other) / DOUBLINGS;
    return OF_FAMILY * StrictMath.exp(-doublings * doublings / 2);
  }
}
