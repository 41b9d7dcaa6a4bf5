package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A scheduler that is woken at the same instant until nothing is left to decide there. */
record WokenAtOnce(LiquidScheduler scheduler) implements Scheduler {

  private static final int MOST = 1_000;

  @Override
  public List<Decision> on(ClusterEvent event) {
    List<Decision> decisions = new ArrayList<>(scheduler.on(event));
    for (int woken = 0; nextWakeUp().filter(event.at()::equals).isPresent(); woken++) {
      assertThat(woken).as("events at one instant, after %s", event).isLessThan(MOST);
      decisions.addAll(scheduler.on(new ClusterEvent.TimePassed(event.at())));
    }
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
    return new WokenAtOnce((LiquidScheduler) scheduler.copy());
  }
}
