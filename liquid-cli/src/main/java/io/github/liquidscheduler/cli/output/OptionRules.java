package io.github.liquidscheduler.cli.output;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses options that do not go together, or whose values are out of range. */
public final class OptionRules {

  private OptionRules() {}

  /**
   * Refuses the command line.
   *
   * @throws ParameterException if {@code isWrong}
   */
  public static void refuseIf(CommandSpec spec, boolean isWrong, String why) {
    if (isWrong) {
      throw new ParameterException(spec.commandLine(), why);
    }
  }
}
