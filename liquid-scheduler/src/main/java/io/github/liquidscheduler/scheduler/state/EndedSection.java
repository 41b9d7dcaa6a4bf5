package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayList;
import java.util.List;

/** The jobs that are over and remembered, the oldest first: how each ended, and its id. */
record EndedSection() implements StateSection {

  @Override
  public String name() {
    return "ended";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    List<String> jobs = new ArrayList<>();
    state.jobs().ended().forEach((job, how) -> jobs.add(how + " " + job));
    return SnapshotSection.builder().texts("jobs", jobs).build();
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    in.texts("jobs", text -> text.split(" ", 2)).forEach(job -> load(job, state));
  }

  private static void load(String[] howAndJob, SchedulerState state) {
    if (howAndJob.length < 2) {
      throw new IllegalArgumentException(
          "a job that is over must be an outcome and an id, but was '" + howAndJob[0] + "'");
    }
    JobId job = JobId.of(howAndJob[1]);
    JobCheck.requireNew(state, job);
    state.jobs().ended().add(job, Outcome.valueOf(howAndJob[0]));
  }
}
