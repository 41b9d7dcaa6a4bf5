package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.util.List;

/** The outcome of an event, before anybody hears of it. */
sealed interface TurnOutcome {

  /** Returns the event, and who waits for its answer. */
  Offer.Dated dated();

  /**
   * It was taken.
   *
   * @param ready what may be carried out now, of these decisions and earlier ones
   */
  record Taken(
      Offer.Dated dated,
      List<Decision> decisions,
      List<Decision> ready,
      Duration queued,
      long begun,
      long ended)
      implements TurnOutcome {

    Duration deciding() {
      return Duration.ofNanos(Math.max(0, ended - begun));
    }
  }

  /** The scheduler refused it, and is as before. */
  record Refused(Offer.Dated dated, RuntimeException why) implements TurnOutcome {}
}
