package io.github.liquidscheduler.scheduler.timeline;

import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * When running jobs are expected to end, seen from one instant: the soonest first, equal ones in
 * the order of their starts, those of which nobody knows last. An expectation is what a job last
 * reported, or else its expected duration less the time it has run.
 */
public final class Timeline {

  private static final Comparator<End> SOONEST_FIRST =
      Comparator.comparing(end -> end.at().orElse(Instant.MAX));

  private final List<End> ends;

  /**
   * The expected end of a running job.
   *
   * @param job the job
   * @param at when, or empty if nobody knows
   */
  public record End(JobEntry job, Optional<Instant> at) {}

  private Timeline(List<End> ends) {
    this.ends = ends;
  }

  /** Returns the timeline of the running jobs of a table; O(running jobs). */
  public static Timeline of(JobTable table) {
    return new Timeline(
        table.running().inOrder().stream()
            .map(job -> new End(job, job.expectedEnd(table.now())))
            .sorted(SOONEST_FIRST)
            .toList());
  }

  /** Returns the running jobs, the next to end first. */
  public List<JobEntry> jobs() {
    return ends.stream().map(End::job).toList();
  }

  /** Returns when the first {@code count} jobs will have ended; empty if nobody knows. */
  public Optional<Instant> endOf(int count) {
    return count == 0 ? Optional.empty() : ends.get(count - 1).at();
  }
}
