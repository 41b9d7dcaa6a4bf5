package io.github.liquidscheduler.lab.domains;

import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The topology constraint of a group of tasks.
 *
 * @param reach the strength of {@code level}
 * @param level the level whose one domain must or should hold all tasks; empty if there is none
 * @param slices the slices of tasks that stay together, wide levels first; a slice of a narrower
 *     level lies within one of a wider one
 * @param balanced whether a preference is met by an even spread over as few domains as possible
 */
public record DomainRule(
    Reach reach, Optional<String> level, List<Slices> slices, boolean balanced) {

  /** The strength of a level. */
  public enum Reach {
    /** One domain of the level, or none at all. */
    REQUIRED,
    /** One domain of the level, else of the next wider one; at last several of the widest. */
    PREFERRED,
    /** Anywhere; the domains with the least capacity are filled first. */
    UNCONSTRAINED,
    /** Anywhere, if slices stay together; few wide domains. */
    SLICES_ONLY
  }

  /**
   * Checks the rule.
   *
   * @throws IllegalArgumentException if a level is required or preferred, but none is named
   */
  public DomainRule {
    Objects.requireNonNull(reach, "reach");
    slices = List.copyOf(slices);
    boolean binds = reach == Reach.REQUIRED || reach == Reach.PREFERRED;
    if (binds && level.isEmpty()) {
      throw new IllegalArgumentException("a level must be named that is " + reach);
    }
  }

  /** Returns the rule of a job's constraint, without its spread. */
  public static DomainRule of(TopologyConstraint constraint) {
    List<Slices> slices = constraint.slices().map(List::of).orElse(List.of());
    if (constraint.required().isPresent()) {
      return new DomainRule(Reach.REQUIRED, constraint.required(), slices, false);
    }
    if (constraint.preferred().isPresent()) {
      return new DomainRule(Reach.PREFERRED, constraint.preferred(), slices, false);
    }
    Reach reach = slices.isEmpty() ? Reach.UNCONSTRAINED : Reach.SLICES_ONLY;
    return new DomainRule(reach, Optional.empty(), slices, false);
  }

  /** Returns this rule with other slices. */
  DomainRule withSlices(List<Slices> slices) {
    return new DomainRule(reach, level, slices, balanced);
  }
}
