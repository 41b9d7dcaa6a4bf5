package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Forecast;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ReservationStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A scheduler that answers questions and takes no events: those go through the loop. */
record ReadOnlyScheduler(Scheduler scheduler) implements Scheduler {

  @Override
  public List<Decision> on(ClusterEvent event) {
    throw new UnsupportedOperationException(
        "events must be offered to the loop, which journals them, but this one was not: " + event);
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
  public OptionalInt queuePosition(JobId job) {
    return scheduler.queuePosition(job);
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
  public Optional<String> held(JobId job) {
    return scheduler.held(job);
  }

  @Override
  public Optional<QueueStatus> queue(QueueName queue) {
    return scheduler.queue(queue);
  }

  @Override
  public Optional<Instant> reservedStart(JobId job) {
    return scheduler.reservedStart(job);
  }

  @Override
  public Map<JobId, Instant> reservedStarts() {
    return scheduler.reservedStarts();
  }

  @Override
  public List<ReservationStatus> advanceReservations() {
    return scheduler.advanceReservations();
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
  public Map<String, String> parameters() {
    return scheduler.parameters();
  }

  @Override
  public SchedulerSnapshot snapshot() {
    return scheduler.snapshot();
  }

  @Override
  public Forecast whatIf(List<ClusterEvent> events, int more) {
    return scheduler.whatIf(events, more);
  }

  @Override
  public Optional<Instant> startIf(JobId job, RunTimeScenario scenario, int more) {
    return scheduler.startIf(job, scenario, more);
  }

  @Override
  public Scheduler copy() {
    return scheduler.copy();
  }
}
