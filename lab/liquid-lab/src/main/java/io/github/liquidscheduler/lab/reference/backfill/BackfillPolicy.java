package io.github.liquidscheduler.lab.reference.backfill;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** The policies of the backfill simulator. */
public enum BackfillPolicy {
  /** In order of submission; nobody bypasses the first that does not fit. */
  FIFO,
  /** In order of submission; whoever fits starts. */
  BEST_EFFORT_FIFO,
  /** EASY backfill: the first waiting job, or the first k, hold a reservation. */
  EASY,
  /** Conservative backfill: every waiting job holds one. */
  CONSERVATIVE;

  /**
   * Returns the policy of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static BackfillPolicy named(String name) {
    return Arrays.stream(values())
        .filter(policy -> policy.policyName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a backfill policy must be one of %s, but was '%s'"
                        .formatted(String.join(", ", names()), name)));
  }

  /** Returns the names of all policies. */
  public static List<String> names() {
    return Arrays.stream(values()).map(BackfillPolicy::policyName).toList();
  }

  /** Returns the name, such as {@code best-effort-fifo}. */
  public String policyName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns what the policy does.
   *
   * @param reservations how many waiting jobs hold one, at least 1; only for {@link #EASY}, and 1
   *     if empty
   * @throws IllegalArgumentException if the number is given to another policy or is less than 1
   */
  BackfillRule rule(OptionalInt reservations) {
    if (reservations.isPresent() && (this != EASY || reservations.getAsInt() < 1)) {
      throw new IllegalArgumentException(
          "reservations must be at least 1, and only easy has them, but were %d, for %s"
              .formatted(reservations.getAsInt(), policyName()));
    }
    return switch (this) {
      case FIFO -> BackfillRule.fifo();
      case BEST_EFFORT_FIFO -> BackfillRule.bestEffortFifo();
      case EASY -> BackfillRule.reserving(reservations.orElse(1));
      case CONSERVATIVE -> BackfillRule.conservative();
    };
  }
}
