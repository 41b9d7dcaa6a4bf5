package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The parameters of the scheduler. Not state, but the same state would continue differently under
 * others.
 */
record ParametersSection(Map<String, String> parameters) implements StateSection {

  ParametersSection {
    parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
  }

  @Override
  public String name() {
    return "parameters";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    return new SnapshotSection(new LinkedHashMap<>(parameters));
  }

  @Override
  public void copy(SchedulerState from, SchedulerState to) {
    // Both have the same.
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    Set<String> names = new TreeSet<>(parameters.keySet());
    names.addAll(in.names());
    for (String name : names) {
      Optional<String> then = in.optional(name, String.class);
      Optional<String> now = Optional.ofNullable(parameters.get(name));
      if (!then.equals(now)) {
        throw new IllegalArgumentException(
            "a snapshot must be restored under its own parameters, but %s was %s and is %s"
                .formatted(name, shown(then), shown(now)));
      }
    }
  }

  private static String shown(Optional<String> value) {
    return value.map(set -> "'" + set + "'").orElse("not set");
  }
}
