package io.github.liquidscheduler.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The check of {@code --seeds}: how often an experiment is run. */
final class Seeds {

  private static final int MOST = 10_000;

  private Seeds() {}

  static void check(int seeds, CommandSpec spec) {
    if (seeds < 1 || seeds > MOST) {
      throw new ParameterException(
          spec.commandLine(), "--seeds must be from 1 to " + MOST + ", but was " + seeds);
    }
  }
}
