package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Computes the plans that the scheduler requests, and queues their arrival. */
final class Plans {

  private final Optional<PlanningLoop> planning;
  private final EventQueue queue;
  private final List<BatchPlan> made = new ArrayList<>();

  Plans(Simulation options, EventQueue queue) {
    planning = Optional.ofNullable(options.planning);
    this.queue = queue;
  }

  /** Makes a plan, if anybody makes plans here, of what is so now. */
  void ask(Decision.RequestPlan request, long now) {
    planning.ifPresent(by -> ask(request, by, now));
  }

  private void ask(Decision.RequestPlan request, PlanningLoop by, long now) {
    queue.add(VirtualTime.after(now, by.delay().toNanos()), EventType.PLAN, made.size());
    made.add(by.planner().plan(request.request().withOptions(by.options())));
  }

  /** Returns the plan that comes as the {@code index}th. */
  BatchPlan at(int index) {
    return made.get(index);
  }
}
