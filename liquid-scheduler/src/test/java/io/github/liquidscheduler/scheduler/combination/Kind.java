package io.github.liquidscheduler.scheduler.combination;

import io.github.liquidscheduler.scheduling.Decision;
import java.util.function.Predicate;

/** A kind of decision that can show what two features mean together. */
enum Kind {
  START(Decision.Start.class::isInstance),
  /** A start beside another job on a GPU. */
  SHARE(
      decision ->
          decision instanceof Decision.Start start
              && start.placement().tasks().stream().anyMatch(task -> !task.share().isWhole())),
  PREEMPT(Decision.Preempt.class::isInstance),
  /** A pre-emption with a grace period. */
  GRACE(decision -> decision instanceof Decision.Preempt preempt && preempt.until().isPresent()),
  RESIZE(Decision.Resize.class::isInstance),
  MOVE(Decision.Migrate.class::isInstance),
  FETCH(
      decision ->
          decision instanceof Decision.Prefetch || decision instanceof Decision.CancelPrefetch),
  PLAN(Decision.RequestPlan.class::isInstance),
  REJECT(Decision.Reject.class::isInstance);

  private final Predicate<Decision> test;

  Kind(Predicate<Decision> test) {
    this.test = test;
  }

  boolean is(Told told) {
    return test.test(told.decision());
  }
}
