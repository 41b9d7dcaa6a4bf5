package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.scheduling.SnapshotSection;

/**
 * A part of a scheduler's state that is saved and loaded by itself. What is new to remember is a
 * new section, or a new value in one of these that may be absent.
 */
interface StateSection {

  /** Returns the name under which snapshots have it. */
  String name();

  /** Returns true if a snapshot may lack it, as it does if nothing is remembered. */
  default boolean mayBeMissing() {
    return false;
  }

  /** Returns what is remembered. */
  SnapshotSection save(SchedulerState state);

  /**
   * Brings to a state without events what was saved; the sections before this one are loaded.
   *
   * @throws IllegalArgumentException if it contradicts itself, or what is loaded already
   */
  void load(SnapshotSection.Reader in, SchedulerState state);
}
