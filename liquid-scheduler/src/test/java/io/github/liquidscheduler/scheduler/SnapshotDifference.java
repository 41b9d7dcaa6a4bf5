package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Where two snapshots differ, value by value. */
final class SnapshotDifference {

  /**
   * Where the progress of retries on grown capacity stands, of which only the presence is compared.
   * Shortages by numbers alone are not restored, so that some jobs are passed over sooner.
   */
  private static final Set<String> PROGRESS = Set.of("grownFrom", "askedOf");

  private final List<String> found = new ArrayList<>();

  private SnapshotDifference() {}

  /** Returns the differences, but for the progress of retries; empty if there are none. */
  static List<String> of(SchedulerSnapshot one, SchedulerSnapshot other) {
    SnapshotDifference difference = new SnapshotDifference();
    if (!one.equals(other)) {
      difference.compare("", one.sections(), other.sections());
    }
    return difference.found;
  }

  private void compare(String path, Object one, Object other) {
    if (one instanceof SnapshotSection a && other instanceof SnapshotSection b) {
      compare(path, a.values(), b.values());
    } else if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
      Map<Object, Object> mine = new LinkedHashMap<>(a);
      Set<Object> names = new LinkedHashSet<>(mine.keySet());
      names.addAll(b.keySet());
      names.forEach(name -> compare(path + "/" + name, value(a, name), value(b, name)));
    } else if (one instanceof List<?> a && other instanceof List<?> b && a.size() == b.size()) {
      for (int i = 0; i < a.size(); i++) {
        compare(path + "/" + i, a.get(i), b.get(i));
      }
    } else if (!one.equals(other)) {
      found.add("%s: %s, but %s".formatted(path, one, other));
    }
  }

  private static Object value(Map<?, ?> map, Object name) {
    boolean isProgress = PROGRESS.contains(String.valueOf(name)) && map.containsKey(name);
    return isProgress ? "some" : Objects.requireNonNullElse(map.get(name), "nothing");
  }
}
