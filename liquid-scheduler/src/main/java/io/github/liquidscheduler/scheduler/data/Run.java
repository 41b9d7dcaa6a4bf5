package io.github.liquidscheduler.scheduler.data;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The phases of a running job: it launches, and then trains.
 *
 * @param launched when its processes have started
 * @param trainsFrom when it has read what it needs, as far as is known
 * @param seconds how long it was expected to train; empty if nothing was
 * @param isWhole whether it has kept the size and place at which it began, so that the length of
 *     the run tells how good the expectation was
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

  /** Returns the run once a copy is there. */
  Run without(CopyKey copy, Instant now) {
    List<CopyKey> left = missing.stream().filter(other -> !other.equals(copy)).toList();
    if (left.size() == missing.size()) {
      return this;
    }
    Instant from = !left.isEmpty() ? trainsFrom : now.isAfter(launched) ? now : launched;
    return new Run(launched, from, seconds, isWhole, left);
  }

  /** Returns the run of a job that trains and says how long it has still to. */
  Run reported(Instant now, double left) {
    return new Run(launched, now, OptionalDouble.of(left), false, List.of());
  }
}
