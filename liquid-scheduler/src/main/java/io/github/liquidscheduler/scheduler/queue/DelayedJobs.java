package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Waiting jobs that must not be tried before a time, earliest first. */
public final class DelayedJobs {

  private static final Comparator<JobEntry> BY_END =
      Comparator.<JobEntry, Instant>comparing(job -> Objects.requireNonNull(job.delayedUntil()))
          .thenComparingLong(JobEntry::sequence);

  private final TreeSet<JobEntry> jobs = new TreeSet<>(BY_END);

  void add(JobEntry job) {
    jobs.add(job);
  }

  void remove(JobEntry job) {
    jobs.remove(job);
  }

  /** Returns true if no job is delayed. */
  public boolean isEmpty() {
    return jobs.isEmpty();
  }

  /** Returns the earliest time at which a delayed job may be tried; empty if there is none. */
  public Optional<Instant> next() {
    return jobs.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(jobs.first().delayedUntil())
            .filter(at -> !at.isAfter(GpuTime.LATEST));
  }

  /** Returns a job whose delay is over, or null. */
  @Nullable JobEntry due(Instant now) {
    return !jobs.isEmpty() && next().filter(at -> !at.isAfter(now)).isPresent()
        ? jobs.first()
        : null;
  }

  /** Returns the jobs by the end of their delay, as a copy. */
  public List<JobEntry> inOrder() {
    return new ArrayList<>(jobs);
  }
}
