package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A scheduler that says it decided something else than it did. */
record TamperedScheduler(Scheduler honest, UnaryOperator<List<Decision>> tampering)
    implements Scheduler {

  @Override
  public List<Decision> on(ClusterEvent event) {
    return tampering.apply(honest.on(event));
  }

  @Override
  public ClusterView view() {
    return honest.view();
  }

  @Override
  public List<JobId> waiting() {
    return honest.waiting();
  }

  @Override
  public Optional<JobSpec> job(JobId job) {
    return honest.job(job);
  }

  @Override
  public Optional<JobStatus> status(JobId job) {
    return honest.status(job);
  }

  @Override
  public Explanation explain(JobId job) {
    return honest.explain(job);
  }

  @Override
  public Optional<Instant> nextWakeUp() {
    return honest.nextWakeUp();
  }

  @Override
  public SchedulerSnapshot snapshot() {
    return honest.snapshot();
  }

  @Override
  public Scheduler copy() {
    return new TamperedScheduler(honest.copy(), tampering);
  }
}
