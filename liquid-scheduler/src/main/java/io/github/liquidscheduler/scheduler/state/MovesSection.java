package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.moves.RecentMoves;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import io.github.liquidscheduler.text.Count;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The recent moves of running jobs. Left out if there are none. */
record MovesSection() implements StateSection {

  @Override
  public String name() {
    return "moves";
  }

  @Override
  public boolean mayBeMissing() {
    return true;
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    RecentMoves moves = state.jobs().moves();
    SnapshotSection.Builder section = SnapshotSection.builder();
    if (!moves.equals(RecentMoves.NONE)) {
      section
          .texts("jobs", moves.moves().stream().map(RecentMoves.Move::job).toList())
          .texts("at", moves.moves().stream().map(RecentMoves.Move::at).toList());
    }
    return section.build();
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    List<JobId> jobs = in.texts("jobs", JobId::of);
    List<Instant> times = in.texts("at", Instant::parse);
    if (jobs.size() != times.size()) {
      throw new IllegalArgumentException(
          "each job that moved must have done so at a time, but %s had %s"
              .formatted(Count.of(jobs.size(), "job"), Count.of(times.size(), "time")));
    }
    List<RecentMoves.Move> moves = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      moves.add(new RecentMoves.Move(jobs.get(i), times.get(i)));
    }
    state.jobs().remember(new RecentMoves(moves));
  }
}
