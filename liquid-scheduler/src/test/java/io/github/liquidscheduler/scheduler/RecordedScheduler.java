package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.PresenceLedger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A scheduler whose events and decisions are entered in books; those of its copies are not. */
record RecordedScheduler(Scheduler scheduler, PresenceLedger books) implements Scheduler {

  @Override
  public List<Decision> on(ClusterEvent event) {
    List<Decision> decisions = scheduler.on(event);
    books.enter(event, decisions, scheduler);
    return decisions;
  }

  @Override
  public ClusterView view() {
    return scheduler.view();
  }

  @Override
  public List<JobId> waiting() {
    return scheduler.waiting();
  }

  @Override
  public Optional<JobSpec> job(JobId job) {
    return scheduler.job(job);
  }

  @Override
  public Optional<JobStatus> status(JobId job) {
    return scheduler.status(job);
  }

  @Override
  public Explanation explain(JobId job) {
    return scheduler.explain(job);
  }

  @Override
  public Optional<Instant> nextWakeUp() {
    return scheduler.nextWakeUp();
  }

  @Override
  public SchedulerSnapshot snapshot() {
    return scheduler.snapshot();
  }

  @Override
  public Scheduler copy() {
    return scheduler.copy();
  }
}
