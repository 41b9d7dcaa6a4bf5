package io.github.liquidscheduler.explanation;

import java.time.Instant;
import java.util.Objects;

/**
 * The expected start of a waiting job if jobs run for their expected times, no further job comes
 * before it, and the cluster does not change.
 */
public sealed interface StartEstimate {

  /** Returns the instant that the estimate is about. */
  Instant instant();

  /** Returns the estimate as a phrase for people. */
  default String describe() {
    return switch (this) {
      case ExpectedAt(Instant instant) -> "expected to start at " + instant;
      case NotBefore(Instant instant) -> "not expected to start before " + instant;
      case PromisedBy(Instant instant, Instant end) ->
          "promised to start by " + instant + " and to end by " + end;
    };
  }

  /** It starts at an instant: all who start until then were looked at. */
  record ExpectedAt(Instant instant) implements StartEstimate {
    /** Checks that nothing is null. */
    public ExpectedAt {
      Objects.requireNonNull(instant, "instant");
    }
  }

  /** It starts at an instant or later: the look ahead ended there. */
  record NotBefore(Instant instant) implements StartEstimate {
    /** Checks that nothing is null. */
    public NotBefore {
      Objects.requireNonNull(instant, "instant");
    }
  }

  /**
   * It is promised to start at an instant or earlier, and to have ended at another or earlier. For
   * a job that misses its deadline that is the earliest end that could be promised.
   *
   * @param instant when it starts at the latest
   * @param end when it has ended at the latest
   */
  record PromisedBy(Instant instant, Instant end) implements StartEstimate {
    /**
     * Checks the order.
     *
     * @throws IllegalArgumentException if it ends before it starts
     */
    public PromisedBy {
      Objects.requireNonNull(instant, "instant");
      if (end.isBefore(instant)) {
        throw new IllegalArgumentException(
            "a job must end after its start, but was to from %s to %s".formatted(instant, end));
      }
    }
  }
}
