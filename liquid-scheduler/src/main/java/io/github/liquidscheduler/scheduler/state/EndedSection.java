package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.ended.EndedJobs;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayList;
import java.util.List;

/**
 * The remembered ended jobs, oldest first: their ids, and one letter for each outcome, short
 * because there may be a million of them; and why the scheduler rejected some.
 */
record EndedSection() implements StateSection {

  @Override
  public String name() {
    return "ended";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    List<JobId> jobs = new ArrayList<>();
    StringBuilder outcomes = new StringBuilder();
    EndedJobs ended = state.jobs().ended();
    ended.forEach(
        (job, how) -> {
          jobs.add(job);
          outcomes.append(letter(how));
        });
    SnapshotSection.Builder section = SnapshotSection.builder().texts("jobs", jobs);
    if (!jobs.isEmpty()) {
      section.text("outcomes", outcomes);
    }
    List<JobId> rejected = jobs.stream().filter(job -> ended.why(job).isPresent()).toList();
    if (!rejected.isEmpty()) {
      section.texts("rejected", rejected);
      section.texts("reasons", rejected.stream().map(job -> ended.why(job).orElseThrow()).toList());
    }
    return section.build();
  }

  @Override
  public void copy(SchedulerState from, SchedulerState to) {
    // The copied table has them already.
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    List<JobId> jobs = in.texts("jobs", JobId::of);
    String outcomes = in.optional("outcomes", String.class).orElse("");
    if (jobs.size() != outcomes.length()) {
      throw new IllegalArgumentException(
          "each job that is over must have an outcome, but %d had %d"
              .formatted(jobs.size(), outcomes.length()));
    }
    for (int i = 0; i < jobs.size(); i++) {
      JobCheck.requireNew(state, jobs.get(i));
      state.jobs().ended().add(jobs.get(i), outcome(outcomes.charAt(i)));
    }
    loadReasons(in, state.jobs().ended());
  }

  private static void loadReasons(SnapshotSection.Reader in, EndedJobs ended) {
    List<JobId> rejected = in.texts("rejected", JobId::of);
    List<String> reasons = in.texts("reasons", why -> why);
    if (rejected.size() != reasons.size()) {
      throw new IllegalArgumentException(
          "each job that was rejected must have a reason, but %d had %d"
              .formatted(rejected.size(), reasons.size()));
    }
    for (int i = 0; i < reasons.size(); i++) {
      if (ended.ending(rejected.get(i)).isEmpty()) {
        throw new IllegalArgumentException(
            "a job that was rejected must be over, but is not: job '%s'"
                .formatted(rejected.get(i)));
      }
      ended.because(rejected.get(i), reasons.get(i));
    }
  }

  private static char letter(Outcome outcome) {
    return switch (outcome) {
      case FINISHED -> 'F';
      case FAILED -> 'X';
      case CANCELLED -> 'C';
      case REJECTED -> 'R';
    };
  }

  private static Outcome outcome(char letter) {
    for (Outcome outcome : Outcome.values()) {
      if (letter(outcome) == letter) {
        return outcome;
      }
    }
    throw new IllegalArgumentException(
        "an outcome must be one of the letters F, X, C and R, but was '%c'".formatted(letter));
  }
}
