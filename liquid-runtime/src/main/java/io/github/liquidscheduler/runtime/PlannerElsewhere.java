package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has plans made on threads that do not decide, and brings them back as events. Without a plan the
 * scheduler goes on by itself after its own timeout, so a planner that fails is reported and no
 * more.
 */
record PlannerElsewhere(BatchPlanner planner, Executor threads, FailureReport failures) {
  private static final Logger LOG = LoggerFactory.getLogger(PlannerElsewhere.class);

  /** Returns a handler that has requested plans made, and leaves all else to another one. */
  DecisionHandler beside(
      DecisionHandler acting, Consumer<Function<Instant, ClusterEvent>> proposed) {
    return decision -> {
      if (decision instanceof Decision.RequestPlan question) {
        answer(question, proposed);
      } else {
        acting.handle(decision);
      }
    };
  }

  private void answer(
      Decision.RequestPlan question, Consumer<Function<Instant, ClusterEvent>> proposed) {
    threads.execute(
        () -> {
          try {
            var plan = planner.plan(question.request());
            proposed.accept(now -> new ClusterEvent.PlanProposed(now, plan));
          } catch (RuntimeException failure) {
            LOG.warn(
                "No plan {}: the scheduler goes on without", question.request().number(), failure);
            failures.accept(failure);
          }
        });
  }
}
