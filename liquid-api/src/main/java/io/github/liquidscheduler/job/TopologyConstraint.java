package io.github.liquidscheduler.job;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How close together, or how far apart, the tasks of a job must and should be placed, in terms of
 * the domains of named topology levels. Immutable.
 */
public final class TopologyConstraint {

  /** No wish and no requirement. */
  public static final TopologyConstraint NONE = new TopologyConstraint(null, null, null, null);

  private final @Nullable String required;
  private final @Nullable String preferred;
  private final @Nullable Slices slices;
  private final @Nullable Spread spread;

  private TopologyConstraint(
      @Nullable String required,
      @Nullable String preferred,
      @Nullable Slices slices,
      @Nullable Spread spread) {
    this.required = required;
    this.preferred = preferred;
    this.slices = slices;
    this.spread = spread;
  }

  /** Returns the constraint that all tasks lie in one domain of {@code level}. */
  public static TopologyConstraint required(String level) {
    return NONE.andRequired(level);
  }

  /** Returns the wish that all tasks lie in one domain of {@code level}. */
  public static TopologyConstraint preferred(String level) {
    return NONE.andPreferred(level);
  }

  /** Returns this constraint and that all tasks lie in one domain of {@code level}. */
  public TopologyConstraint andRequired(String level) {
    return new TopologyConstraint(
        Objects.requireNonNull(level, "level"), preferred, slices, spread);
  }

  /** Returns this constraint with the wish that all tasks lie in one domain of {@code level}. */
  public TopologyConstraint andPreferred(String level) {
    return new TopologyConstraint(required, Objects.requireNonNull(level, "level"), slices, spread);
  }

  /**
   * Returns this constraint and that each slice of {@code tasks} consecutive tasks of the first
   * role lies in one domain of {@code level}; the last slice may be smaller.
   *
   * @throws IllegalArgumentException if {@code tasks} is less than 1
   */
  public TopologyConstraint andSlices(int tasks, String level) {
    return new TopologyConstraint(required, preferred, new Slices(tasks, level), spread);
  }

  /**
   * Returns this constraint and that at most {@code maxTasks} tasks of each role lie in one domain
   * of {@code level}, so that the loss of a domain takes no more.
   *
   * @throws IllegalArgumentException if {@code maxTasks} is less than 1
   */
  public TopologyConstraint andSpread(int maxTasks, String level) {
    return new TopologyConstraint(required, preferred, slices, new Spread(maxTasks, level));
  }

  /** Returns the level whose one domain must hold all tasks. */
  public Optional<String> required() {
    return Optional.ofNullable(required);
  }

  /** Returns the level whose one domain should hold all tasks. */
  public Optional<String> preferred() {
    return Optional.ofNullable(preferred);
  }

  /** Returns how the first role is cut into slices that must stay together. */
  public Optional<Slices> slices() {
    return Optional.ofNullable(slices);
  }

  /** Returns how far the tasks must be spread. */
  public Optional<Spread> spread() {
    return Optional.ofNullable(spread);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TopologyConstraint that
        && Objects.equals(required, that.required)
        && Objects.equals(preferred, that.preferred)
        && Objects.equals(slices, that.slices)
        && Objects.equals(spread, that.spread);
  }

  @Override
  public int hashCode() {
    return Objects.hash(required, preferred, slices, spread);
  }

  @Override
  public String toString() {
    return "required "
        + required().orElse("none")
        + ", preferred "
        + preferred().orElse("none")
        + slices().map(s -> ", slices of " + s.tasks() + " in one " + s.level()).orElse("")
        + spread().map(s -> ", at most " + s.maxTasks() + " in one " + s.level()).orElse("");
  }

  /**
   * Sub-groups of the first role that must stay together.
   *
   * @param tasks consecutive tasks in a slice, at least 1
   * @param level the level whose one domain must hold a slice
   */
  public record Slices(int tasks, String level) {
    /**
     * Checks the slices.
     *
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    public Slices {
      Objects.requireNonNull(level, "level");
      if (tasks < 1) {
        throw new IllegalArgumentException("a slice must have at least 1 task, but had " + tasks);
      }
    }
  }

  /**
   * A limit on how many tasks one domain may hold.
   *
   * @param maxTasks the most tasks of one role in a domain, at least 1
   * @param level the level of the domains
   */
  public record Spread(int maxTasks, String level) {
    /**
     * Checks the limit.
     *
     * @throws IllegalArgumentException if {@code maxTasks} is less than 1
     */
    public Spread {
      Objects.requireNonNull(level, "level");
      if (maxTasks < 1) {
        throw new IllegalArgumentException(
            "a spread must allow at least 1 task in a domain, but allowed " + maxTasks);
      }
    }
  }
}
