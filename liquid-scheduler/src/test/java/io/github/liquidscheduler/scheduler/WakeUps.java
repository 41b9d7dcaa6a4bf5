package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/** Whether a scheduler asks to be woken in time. */
final class WakeUps {

  private static final Duration A_DAY = Duration.ofDays(1);

  private WakeUps() {}

  /**
   * Checks that nothing is decided between now and the next wake-up if only time passes: a
   * nanosecond after now, and a nanosecond before the wake-up, or a day after now if there is none.
   */
  static void requireNothingBeforeTheNext(Scheduler scheduler, Instant now) {
    requireNoneBeforeTheNext(scheduler, now, decision -> true);
  }

  /**
   * Checks that nothing is decided for a waiting job between now and the next wake-up; running jobs
   * may grow, at the cost of others too, and move whenever it pays.
   */
  static void requireNoStartBeforeTheNext(Scheduler scheduler, Instant now) {
    requireNoneBeforeTheNext(
        scheduler,
        now,
        decision ->
            switch (decision) {
              case Decision.Start start -> true;
              case Decision.Preempt preempt -> !isForGrowth(preempt, scheduler);
              case Decision.Reject reject -> true;
              case Decision.RequestPlan request -> true;
              default -> false;
            });
  }

  private static boolean isForGrowth(Decision.Preempt preempt, Scheduler scheduler) {
    return preempt.why() instanceof Reason.Reclaimed reclaimed
        && !scheduler.waiting().contains(reclaimed.winner());
  }

  private static void requireNoneBeforeTheNext(
      Scheduler scheduler, Instant now, Predicate<Decision> some) {
    Instant wakeUp =
        scheduler.nextWakeUp().or(() -> GpuTime.after(now, A_DAY)).orElse(GpuTime.LATEST);
    for (Instant at : new Instant[] {now.plusNanos(1), wakeUp.minusNanos(1)}) {
      if (at.isAfter(now) && at.isBefore(wakeUp)) {
        assertThat(scheduler.copy().on(new ClusterEvent.TimePassed(at)))
            .as("decisions at %s, with the next wake-up at %s", at, scheduler.nextWakeUp())
            .noneMatch(some);
      }
    }
  }
}
