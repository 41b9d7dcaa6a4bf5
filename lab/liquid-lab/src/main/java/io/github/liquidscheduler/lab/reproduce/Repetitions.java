package io.github.liquidscheduler.lab.reproduce;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of how often an experiment is run. */
final class Repetitions {
  private static final int MOST = 10_000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seeds",
      paramLabel = "RUNS",
      defaultValue = "10",
      description =
          "Number of runs, each with other random numbers, from 1 to 10000 (default:"
              + " ${DEFAULT-VALUE}).")
  private int seeds;

  int seeds() {
    if (seeds < 1 || seeds > MOST) {
      throw new ParameterException(
          spec.commandLine(), "--seeds must be from 1 to " + MOST + ", but was " + seeds);
    }
    return seeds;
  }
}
