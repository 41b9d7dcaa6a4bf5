package io.github.liquidscheduler.scheduler.prefetch;

import io.github.liquidscheduler.resource.Memory;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What to do about copies now.
 *
 * @param begin the copies to bring, the first needed first
 * @param keep the transfers under way that go on
 * @param cancel those that nobody is expected to need any more; what they moved is wasted
 * @param lookAgain when the next copy has to be begun, if nothing happens until then; empty if none
 *     is expected to
 */
public record PrefetchPlan(
    List<Prefetch> begin, List<Transfer> keep, List<Transfer> cancel, Optional<Instant> lookAgain) {

  /** Copies the lists. */
  public PrefetchPlan {
    begin = List.copyOf(begin);
    keep = List.copyOf(keep);
    cancel = List.copyOf(cancel);
    Objects.requireNonNull(lookAgain, "lookAgain");
  }

  /** Returns how much was moved for nothing. */
  public Memory wasted() {
    return cancel.stream().map(Transfer::moved).reduce(Memory.ZERO, Memory::plus);
  }
}
