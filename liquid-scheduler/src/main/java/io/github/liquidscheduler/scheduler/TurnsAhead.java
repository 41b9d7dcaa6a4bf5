package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The turns of a look ahead, without bounds on an event.
 *
 * @param jobs the jobs; live
 * @param turn takes an event and returns the decisions
 * @param wakeUp returns the next wake-up that the scheduler asks for
 */
record TurnsAhead(
    JobTable jobs,
    Function<ClusterEvent, List<Decision>> turn,
    Supplier<Optional<Instant>> wakeUp) {

  /** Takes an event and returns the decisions. */
  List<Decision> on(ClusterEvent event) {
    return turn.apply(event);
  }

  /** Returns the next wake-up that the scheduler asks for. */
  Optional<Instant> nextWakeUp() {
    return wakeUp.get();
  }
}
