package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.ElasticJobs;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.List;

/** The waiting and running jobs, and the number of submissions. */
record JobsSection() implements StateSection {

  @Override
  public String name() {
    return "jobs";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    JobTable jobs = state.jobs();
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .put("submissions", jobs.submissions())
            .list("waiting", jobs.allWaiting(), JobEntry::save)
            .list("running", jobs.running().inOrder(), JobEntry::save);
    if (!state.failures().overfull().isEmpty()) {
      section.texts("overfull", state.failures().overfull());
    }
    jobs.knownOfElastic().save(section);
    return section.build();
  }

  @Override
  public void copy(SchedulerState from, SchedulerState to) {
    to.jobs().adoptAll(from.jobs());
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    state.jobs().restoreClock(state.jobs().now(), in.longCount("submissions"));
    JobCheck check = new JobCheck(state);
    List<NodeId> overfull = in.texts("overfull", NodeId::of);
    load(in, "running", check, state, overfull);
    load(in, "waiting", check, state, overfull);
    overfull.forEach(state.failures()::close);
    state.jobs().running().inOrder().forEach(check::requireLeaving);
    state.jobs().restoreElastic(ElasticJobs.Known.load(in));
  }

  private static void load(
      SnapshotSection.Reader in,
      String name,
      JobCheck check,
      SchedulerState state,
      List<NodeId> overfull) {
    for (JobEntry job : in.list(name, SnapshotSection.class, each -> each.read(JobEntry::load))) {
      check.require(job, name.equals("running"));
      state.jobs().restore(job, (spec, at) -> place(state, spec, at, overfull));
    }
  }

  private static void place(
      SchedulerState state, JobSpec job, Placement placement, List<NodeId> overfull) {
    if (placement.nodes().stream().anyMatch(overfull::contains)) {
      state.cluster().applyHeld(job, placement);
      return;
    }
    try {
      state.cluster().apply(job, placement);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(
          "a snapshot's running jobs must fit the cluster, but job '" + job.id() + "' does not", e);
    }
  }
}
