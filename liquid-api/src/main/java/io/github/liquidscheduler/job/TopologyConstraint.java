package io.github.liquidscheduler.job;

import io.github.liquidscheduler.text.Text;
import java.util.Objects;
import java.util.Optional;

/**
 * The closeness, or the spread, that the tasks of a job must and should have, in terms of the
 * domains of named topology levels. Where a branch of the topology leaves a required level or that
 * of slices out, a domain of the next narrower level will do.
 *
 * @param required the level whose one domain must hold all tasks
 * @param preferred the level whose one domain should hold all tasks
 * @param slices how the first role is cut into slices that must stay together
 * @param spread how far the tasks must be spread
 */
public record TopologyConstraint(
    Optional<String> required,
    Optional<String> preferred,
    Optional<Slices> slices,
    Optional<Spread> spread) {

  /** No wish and no requirement. */
  public static final TopologyConstraint NONE =
      new TopologyConstraint(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** Checks that nothing is null. */
  public TopologyConstraint {
    required.ifPresent(level -> Text.require(level, "a level"));
    preferred.ifPresent(level -> Text.require(level, "a level"));
    Objects.requireNonNull(slices, "slices");
    Objects.requireNonNull(spread, "spread");
  }

  /** Returns the constraint that all tasks lie in one domain of {@code level}. */
  public static TopologyConstraint required(String level) {
    return NONE.andRequired(level);
  }

  /**
   * Returns the wish that all tasks lie in one domain of {@code level}. It never keeps a job from
   * running: where it cannot be granted, or there is no such level, it is ignored.
   */
  public static TopologyConstraint preferred(String level) {
    return NONE.andPreferred(level);
  }

  /** Returns this constraint and that all tasks lie in one domain of {@code level}. */
  public TopologyConstraint andRequired(String level) {
    return new TopologyConstraint(Optional.of(level), preferred, slices, spread);
  }

  /** Returns this constraint with the wish that all tasks lie in one domain of {@code level}. */
  public TopologyConstraint andPreferred(String level) {
    return new TopologyConstraint(required, Optional.of(level), slices, spread);
  }

  /**
   * Returns this constraint and that each slice of {@code tasks} consecutive tasks of the first
   * role lies in one domain of {@code level}; the last slice may be smaller.
   *
   * @throws IllegalArgumentException if {@code tasks} is less than 1
   */
  public TopologyConstraint andSlices(int tasks, String level) {
    return new TopologyConstraint(
        required, preferred, Optional.of(new Slices(tasks, level)), spread);
  }

  /**
   * Returns this constraint and that at most {@code maxTasks} tasks of each role lie in one domain
   * of {@code level}, so that the loss of a domain takes no more.
   *
   * @throws IllegalArgumentException if {@code maxTasks} is less than 1
   */
  public TopologyConstraint andSpread(int maxTasks, String level) {
    return new TopologyConstraint(
        required, preferred, slices, Optional.of(new Spread(maxTasks, level)));
  }

  /** Returns the parts on one line. */
  @Override
  public String toString() {
    return "required "
        + required.orElse("none")
        + ", preferred "
        + preferred.orElse("none")
        + slices.map(s -> ", slices of " + s.tasks() + " in one " + s.level()).orElse("")
        + spread.map(s -> ", at most " + s.maxTasks() + " in one " + s.level()).orElse("");
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
      Text.require(level, "a level");
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
      Text.require(level, "a level");
      if (maxTasks < 1) {
        throw new IllegalArgumentException(
            "a spread must allow at least 1 task in a domain, but allowed " + maxTasks);
      }
    }
  }
}
