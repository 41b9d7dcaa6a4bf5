package io.github.liquidscheduler.explanation;

import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.Objects;
import java.util.Optional;

/**
 * One constraint that keeps a job from running: what was requested, what is available, and the
 * closest fit.
 *
 * @param scope what the amounts are about, such as {@code role 'worker'} or {@code one rack}
 * @param requested the amount requested, in {@link Constraint#unit()}s
 * @param available the amount available, in {@link Constraint#unit()}s
 * @param closestFit where most of it is available, if that says anything
 */
public record UnmetConstraint(
    Constraint constraint,
    String scope,
    long requested,
    long available,
    Optional<ClosestFit> closestFit) {

  /** Checks that nothing is null. */
  public UnmetConstraint {
    Objects.requireNonNull(constraint, "constraint");
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(closestFit, "closestFit");
  }

  /** Returns the unmet constraint as a sentence for people, without a full stop. */
  public String describe() {
    String text = constraint + " (" + scope + "): ";
    return switch (constraint) {
      case QUEUE_ORDER -> text + amount(requested) + " ahead must start first";
      case RESERVATION -> text + "it would be in the way";
      case QUOTAS_FORBID -> text + "it asks for more than that";
      case OVER_FULL -> text + "it takes nothing until enough has been left";
      case NOT_STARTED_HERE -> text + "it holds " + amount(requested);
      case HELD -> text + "it is to be released";
      case BATCH_WINDOW -> text + "a plan is to decide";
      case BACK_OFF, PROMISED_START ->
          requested == Long.MAX_VALUE
              ? text + "no time ends it"
              : text + available + " of " + amount(requested) + " have passed";
      default ->
          "%srequested %s, available %s%s"
              .formatted(
                  text,
                  amount(requested),
                  amount(available),
                  closestFit.map(fit -> ", closest fit " + describe(fit)).orElse(""));
    };
  }

  private String describe(ClosestFit fit) {
    return fit.location() + " with " + amount(fit.available());
  }

  private String amount(long amount) {
    return switch (constraint) {
      case GPU_MEMORY, MEMORY, QUEUE_MEMORY -> Memory.ofBytes(amount).toString();
      case CPU, QUEUE_CPU -> CpuCores.ofMillicores(amount).toString();
      case RETAINED_SPEED -> amount / 1000.0 + " of the speed alone";
      default -> amount + " " + (amount == 1 ? singular() : constraint.unit());
    };
  }

  private String singular() {
    return constraint.unit().substring(0, constraint.unit().length() - 1);
  }

  /**
   * The place where a constraint came closest to being met.
   *
   * @param location the node or domain, such as {@code rack 'r7'}
   * @param available the amount available there, in the constraint's unit
   */
  public record ClosestFit(String location, long available) {
    /** Checks that nothing is null. */
    public ClosestFit {
      Objects.requireNonNull(location, "location");
    }
  }
}
