package io.github.liquidscheduler.job;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How close together the tasks of a job must, and should, be placed: within one domain of a named
 * topology level. Immutable.
 */
public final class TopologyConstraint {

  /** No wish and no requirement. */
  public static final TopologyConstraint NONE = new TopologyConstraint(null, null);

  private final @Nullable String required;
  private final @Nullable String preferred;

  private TopologyConstraint(@Nullable String required, @Nullable String preferred) {
    this.required = required;
    this.preferred = preferred;
  }

  /** Returns the constraint that all tasks lie in one domain of {@code level}. */
  public static TopologyConstraint required(String level) {
    return new TopologyConstraint(Objects.requireNonNull(level, "level"), null);
  }

  /** Returns the wish that all tasks lie in one domain of {@code level}. */
  public static TopologyConstraint preferred(String level) {
    return new TopologyConstraint(null, Objects.requireNonNull(level, "level"));
  }

  /** Returns this constraint with the wish that all tasks lie in one domain of {@code level}. */
  public TopologyConstraint andPreferred(String level) {
    return new TopologyConstraint(required, Objects.requireNonNull(level, "level"));
  }

  /** Returns the level whose one domain must hold all tasks. */
  public Optional<String> required() {
    return Optional.ofNullable(required);
  }

  /** Returns the level whose one domain should hold all tasks. */
  public Optional<String> preferred() {
    return Optional.ofNullable(preferred);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TopologyConstraint that
        && Objects.equals(required, that.required)
        && Objects.equals(preferred, that.preferred);
  }

  @Override
  public int hashCode() {
    return Objects.hash(required, preferred);
  }

  @Override
  public String toString() {
    return "required " + required().orElse("none") + ", preferred " + preferred().orElse("none");
  }
}
