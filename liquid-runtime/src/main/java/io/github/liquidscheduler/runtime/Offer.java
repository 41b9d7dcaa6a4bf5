package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** An event that somebody reports, before it has its time, by the loop's stopwatch. */
record Offer(
    Function<Instant, ? extends ClusterEvent> event,
    long reportedNanos,
    CompletableFuture<List<Decision>> answer) {

  Offer {
    Objects.requireNonNull(event, "event");
  }

  Offer(Function<Instant, ? extends ClusterEvent> event, long reportedNanos) {
    this(event, reportedNanos, new CompletableFuture<>());
  }

  /** The event with its time, and who waits for what is decided about it. */
  record Dated(ClusterEvent event, Offer offer) {
    Dated {
      Objects.requireNonNull(event, "event");
    }
  }
}
