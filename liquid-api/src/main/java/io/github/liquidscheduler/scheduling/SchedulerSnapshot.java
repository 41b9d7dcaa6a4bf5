package io.github.liquidscheduler.scheduling;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The whole state of a scheduler as a value, in named sections that only a scheduler of its kind
 * can read. A scheduler restored from it, on the same topology and with the same parameters,
 * decides from then on as the first one would have.
 *
 * @param version the version of the sections' format
 * @param now the time of the last event; {@link Instant#MIN} if there was none
 * @param sections the sections by their names, in the order in which they are restored
 */
public record SchedulerSnapshot(int version, Instant now, Map<String, SnapshotSection> sections) {

  /** Copies the sections, keeping their order. */
  public SchedulerSnapshot {
    Objects.requireNonNull(now, "now");
    sections = Collections.unmodifiableMap(new LinkedHashMap<>(sections));
  }

  /**
   * Returns a section.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public SnapshotSection section(String name) {
    SnapshotSection section = sections.get(name);
    if (section == null) {
      throw new IllegalArgumentException(
          "a snapshot must have a section '%s', but has only %s"
              .formatted(name, sections.keySet()));
    }
    return section;
  }
}
