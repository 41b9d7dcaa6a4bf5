package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationState;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.NodeFailures;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a scheduler remembers from one event to the next: the clock, the jobs, the
 * cluster, node failures and the batch window. Stages read and change it; they remember nothing
 * themselves.
 */
public final class SchedulerState {

  private final JobTable jobs;
  private final NodeFailures failures;
  private @Nullable ColocationState colocation;

  /** Makes the state of a scheduler that has seen no event yet. */
  public SchedulerState(JobTable jobs) {
    this.jobs = jobs;
    failures = new NodeFailures(jobs.cluster());
  }

  /** Returns the waiting, running and ended jobs, and the clock. */
  public JobTable jobs() {
    return jobs;
  }

  /** Returns who runs where and what is free. */
  public ClusterState cluster() {
    return jobs.cluster();
  }

  /** Returns the nodes and GPUs that are draining or lost. */
  public NodeFailures failures() {
    return failures;
  }

  /** Returns what is remembered of the batch window; nothing without one. */
  public BatchedJobs window() {
    return jobs.batched();
  }

  /**
   * Returns what was observed of jobs that share GPUs; empty if their reports are not monitored.
   */
  public Optional<ColocationState> colocation() {
    return Optional.ofNullable(colocation);
  }

  /** Sets what was observed of jobs that share GPUs, and shows it to placers. */
  public void observe(ColocationState observed) {
    colocation = observed;
    cluster().observe(observed.observations());
  }
}
