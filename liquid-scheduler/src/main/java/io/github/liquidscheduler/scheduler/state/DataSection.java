package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.scheduling.SnapshotSection;

/** The copies of data sets by node, and those on their way. */
record DataSection() implements StateSection {

  @Override
  public String name() {
    return "data";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    SnapshotSection.Builder section = SnapshotSection.builder();
    state.data().orElseThrow().save(section, state.cluster().topology());
    return section.build();
  }

  @Override
  public void copy(SchedulerState from, SchedulerState to) {
    to.setData(from.data().orElseThrow().copy());
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    state.data().orElseThrow().load(in);
  }
}
