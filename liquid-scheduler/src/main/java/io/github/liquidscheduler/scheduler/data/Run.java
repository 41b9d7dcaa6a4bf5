package io.github.liquidscheduler.scheduler.data;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A running job's phases: launch, then training.
 *
 * @param launched the end of the process launch
 * @param trainsFrom the expected start of training, once its data is read
 * @param seconds the expected training time; empty if unknown
 * @param isWhole whether the job kept its initial size and place, so that the run length tests the
 *     expectation
 * @param missing the copies that it still reads
 */
public record Run(
    Instant launched,
    Instant trainsFrom,
    OptionalDouble seconds,
    boolean isWhole,
    List<CopyKey> missing) {

  /** Copies the missing copies. */
  public Run {
    missing = List.copyOf(missing);
  }

  /** Returns the run after a copy has arrived. */
  Run without(CopyKey copy, Instant now) {
    List<CopyKey> left = missing.stream().filter(other -> !other.equals(copy)).toList();
    if (left.size() == missing.size()) {
      return this;
    }
    Instant from = !left.isEmpty() ? trainsFrom : now.isAfter(launched) ? now : launched;
    return new Run(launched, from, seconds, isWhole, left);
  }

  /** Returns the run after the job reported its remaining training time in seconds. */
  Run reported(Instant now, double left) {
    return new Run(launched, now, OptionalDouble.of(left), false, List.of());
  }
}
