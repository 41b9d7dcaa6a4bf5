package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.WindowPhase;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import io.github.liquidscheduler.text.Count;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The batch window. Waiting jobs that it does not name are in it too, left over from earlier plans.
 */
record WindowSection() implements StateSection {

  @Override
  public String name() {
    return "window";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    BatchedJobs window = state.window();
    return SnapshotSection.builder()
        .put("requests", window.requests())
        .text("openedAt", window.phase().openedAt())
        .text("requestedAt", requestedAt(window))
        .texts("entered", in(Membership.ENTERED, state.jobs()))
        .texts("requested", in(Membership.REQUESTED, state.jobs()))
        .texts("beyondQuota", in(Membership.BEYOND_QUOTA, state.jobs()))
        .texts("immediate", state.jobs().eligible().ids())
        .build();
  }

  @Override
  public void copy(SchedulerState from, SchedulerState to) {
    to.window().restore(from.window().requests(), from.window().phase());
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    long requests = in.longCount("requests");
    Optional<Instant> openedAt = in.optionalText("openedAt", Instant::parse);
    Optional<Instant> requestedAt = in.optionalText("requestedAt", Instant::parse);
    Set<JobId> named = new HashSet<>();
    List<JobEntry> entered = jobs("entered", in, named, state.jobs());
    List<JobEntry> requested = jobs("requested", in, named, state.jobs());
    List<JobEntry> beyondQuota = jobs("beyondQuota", in, named, state.jobs());
    List<JobEntry> immediate = jobs("immediate", in, named, state.jobs());
    if (requestedAt.isPresent() ? requests == 0 : !requested.isEmpty()) {
      throw new IllegalArgumentException(
          "a plan must have been requested before it is awaited, but %d were, and one is awaited by %s"
              .formatted(requests, Count.of(requested.size(), "job")));
    }
    state.window().restore(requests, WindowPhase.of(openedAt, requestedAt));
    entered.forEach(job -> state.window().put(job, Membership.ENTERED));
    requested.forEach(job -> state.window().put(job, Membership.REQUESTED));
    beyondQuota.forEach(job -> state.window().put(job, Membership.BEYOND_QUOTA));
    immediate.forEach(state.jobs().waitingTransitions()::makeEligible);
  }

  private static Optional<Instant> requestedAt(BatchedJobs window) {
    return window.phase() instanceof WindowPhase.Awaiting awaiting
        ? Optional.of(awaiting.requestedAt())
        : Optional.empty();
  }

  private static List<JobId> in(Membership membership, JobTable jobs) {
    return jobs.waiting().inOrder().stream()
        .filter(job -> jobs.batched().stage(job) == membership)
        .map(JobEntry::id)
        .toList();
  }

  private static List<JobEntry> jobs(
      String name, SnapshotSection.Reader in, Set<JobId> named, JobTable table) {
    List<JobEntry> jobs = new ArrayList<>();
    for (JobId job : in.texts(name, JobId::of)) {
      @Nullable JobEntry entry = table.find(job);
      if (entry == null || entry.isRunning() || !named.add(job)) {
        throw new IllegalArgumentException(
            "the jobs of a batch window must wait and be named once, but '" + job + "' is not");
      }
      jobs.add(entry);
    }
    return jobs;
  }
}
