package io.github.liquidscheduler.slurm;

import java.util.Objects;

/**
 * What a look at a Slurm found, in one line.
 *
 * @param level how much it matters
 */
public record SlurmCheck(Level level, String line) {

  /** Checks that nothing is null. */
  public SlurmCheck {
    Objects.requireNonNull(level, "level");
    Objects.requireNonNull(line, "line");
  }

  /** How much it matters. */
  public enum Level {
    /** As it should be. */
    GOOD,
    /** Works, and could be better. */
    ADVICE,
    /** Does not work. */
    PROBLEM
  }

  @Override
  public String toString() {
    return switch (level) {
      case GOOD -> "ok: " + line;
      case ADVICE -> "advice: " + line;
      case PROBLEM -> "problem: " + line;
    };
  }
}
