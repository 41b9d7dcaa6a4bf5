package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.scheduling.SnapshotSection;

/**
 * A section of a scheduler's state with its own format. New state is a new section, or a new
 * optional value in an existing one.
 */
interface StateSection {

  /** Returns its name in snapshots. */
  String name();

  /** Returns true if a snapshot may lack the section; it then stands for no state. */
  default boolean mayBeMissing() {
    return false;
  }

  /** Returns the saved state. */
  SnapshotSection save(SchedulerState state);

  /**
   * Loads the section into a state without events; earlier sections are loaded already.
   *
   * @throws IllegalArgumentException if it contradicts itself, or an earlier section
   */
  void load(SnapshotSection.Reader in, SchedulerState state);

  /** Copies the section into a state without events; earlier sections are copied already. */
  default void copy(SchedulerState from, SchedulerState to) {
    SnapshotSection saved = save(from);
    if (!mayBeMissing() || !saved.values().isEmpty()) {
      saved.readAll(in -> load(in, to));
    }
  }
}
