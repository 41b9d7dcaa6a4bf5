package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Computes the plans that the scheduler requests, and queues their arrival. */
final class Plans {

  private final Optional<PlanningLoop> planning;
  private final Scheduler scheduler;
  private final SimulatedJobs jobs;
  private final EventQueue queue;
  private final List<BatchPlan> made = new ArrayList<>();

  Plans(Simulation options, SimulatedJobs jobs, EventQueue queue) {
    planning = options.planning();
    scheduler = options.scheduler();
    this.jobs = jobs;
    this.queue = queue;
  }

  /** Makes a plan, if anybody makes plans here, of what is so now. */
  void ask(Decision.RequestPlan request, long now) {
    planning.ifPresent(by -> ask(request, by, now));
  }

  private void ask(Decision.RequestPlan request, PlanningLoop by, long now) {
    PlanRequest.Builder asked =
        PlanRequest.builder(scheduler.view()).id(request.number()).options(by.options());
    for (JobId job : scheduler.view().runningJobs()) {
      asked.running(jobs.spec(job));
    }
    request.jobs().forEach(job -> asked.pending(jobs.spec(job)));
    asked.deferrable(request.deferrable());
    queue.add(VirtualTime.after(now, by.delay().toNanos()), EventType.PLAN.key(made.size()));
    made.add(by.planner().plan(asked.build()));
  }

  /** Returns the plan that comes as the {@code index}th. */
  BatchPlan at(int index) {
    return made.get(index);
  }
}
