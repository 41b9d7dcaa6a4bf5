package io.github.liquidscheduler.explanation;

import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.Objects;
import java.util.Optional;

/**
 * One constraint that keeps a job from running: what was asked, what is there, and where it was
 * missed most narrowly.
 *
 * @param constraint which constraint
 * @param subject what the amounts are about, such as {@code role 'worker'} or {@code one rack}
 * @param asked the amount asked, in {@link Constraint#unit()}s
 * @param available the amount there, in {@link Constraint#unit()}s
 * @param closestFit the place that came closest, if there is one
 */
public record UnmetConstraint(
    Constraint constraint,
    String subject,
    long asked,
    long available,
    Optional<ClosestFit> closestFit) {

  /** Checks that nothing is null. */
  public UnmetConstraint {
    Objects.requireNonNull(constraint, "constraint");
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(closestFit, "closestFit");
  }

  /** Returns the unmet constraint as a sentence for people, without a full stop. */
  public String describe() {
    String text =
        constraint
            + " ("
            + subject
            + "): asked "
            + amount(asked)
            + ", available "
            + amount(available);
    return closestFit
        .map(miss -> text + ", nearest miss " + miss.place() + " with " + amount(miss.available()))
        .orElse(text);
  }

  private String amount(long amount) {
    return switch (constraint) {
      case GPU_MEMORY, MEMORY -> Memory.ofBytes(amount).toString();
      case CPU -> CpuCores.ofMillicores(amount).toString();
      default -> amount + " " + constraint.unit();
    };
  }

  /**
   * The place where a constraint was missed most narrowly.
   *
   * @param place the node or domain, such as {@code rack 'r7'}
   * @param available the amount there, in the unmet constraint's unit
   */
  public record ClosestFit(String place, long available) {
    /** Checks that nothing is null. */
    public ClosestFit {
      Objects.requireNonNull(place, "place");
    }
  }
}
