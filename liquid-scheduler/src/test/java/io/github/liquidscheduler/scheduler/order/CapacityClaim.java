package io.github.liquidscheduler.scheduler.order;

import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Capacity over a future interval for a named job or purpose.
 *
 * @param name the job or purpose; unique
 * @param kind the kind
 * @param turn the position in the turn order, which decides between equal kinds
 * @param from the beginning
 * @param until the end, exclusive; {@link Instant#MAX} if there is none
 * @param amounts what is claimed of each cell, more than 0. A cell is whatever has a capacity of
 *     its own: a GPU in thousandths, a node's cores or memory, a queue's quota of a resource
 */
public record CapacityClaim(
    String name,
    ClaimKind kind,
    long turn,
    Instant from,
    Instant until,
    NavigableMap<Integer, Long> amounts) {

  /** The time for which nodes are kept for a gang that restarts, unless stated otherwise. */
  public static final Duration KEPT_FOR_RESTART = Duration.ofMinutes(10);

  /** The order of precedence: by kind, then by turn, then by name. */
  public static final Comparator<CapacityClaim> PRECEDENCE =
      Comparator.comparing(CapacityClaim::kind)
          .thenComparingLong(CapacityClaim::turn)
          .thenComparing(CapacityClaim::name);

  /**
   * Copies the amounts.
   *
   * @throws IllegalArgumentException if the end is not after the beginning, or an amount is not
   *     positive
   */
  public CapacityClaim {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
    if (!until.isAfter(from)) {
      throw new IllegalArgumentException(
          "a claim must end after it begins, but '%s' is from %s until %s"
              .formatted(name, from, until));
    }
    amounts = Collections.unmodifiableNavigableMap(new TreeMap<>(amounts));
    for (long amount : amounts.values()) {
      if (amount <= 0) {
        throw new IllegalArgumentException(
            "claimed amounts must be more than 0, but those of '%s' are %s"
                .formatted(name, amounts));
      }
    }
  }

  /**
   * Returns the claim that keeps nodes for a gang that restarts.
   *
   * @param stoppedAt when it was stopped
   * @param kept for how long; {@link #KEPT_FOR_RESTART} by default
   */
  public static CapacityClaim forRestart(
      String name,
      long turn,
      Instant stoppedAt,
      Optional<Duration> kept,
      NavigableMap<Integer, Long> amounts) {
    Instant until = GpuTime.end(stoppedAt, kept.orElse(KEPT_FOR_RESTART));
    return new CapacityClaim(name, ClaimKind.RESTART, turn, stoppedAt, until, amounts);
  }

  /** Returns true if both claim some cell at some instant. */
  public boolean overlaps(CapacityClaim other) {
    return from.isBefore(other.until)
        && other.from.isBefore(until)
        && amounts.keySet().stream().anyMatch(other.amounts::containsKey);
  }

  boolean includes(Instant at) {
    return !at.isBefore(from) && at.isBefore(until);
  }

  long of(int cell) {
    return amounts.getOrDefault(cell, 0L);
  }

  /**
   * Returns true if a job that started on this claim may be stopped at an instant.
   *
   * @param asker the kind of the claim for which it would be stopped; empty for a job without one
   */
  public boolean mayStopStarted(Optional<ClaimKind> asker, Instant at) {
    boolean isLater = asker.map(other -> other.compareTo(kind) > 0).orElse(true);
    return !(kind.protectsStarted() && includes(at) && isLater);
  }
}
