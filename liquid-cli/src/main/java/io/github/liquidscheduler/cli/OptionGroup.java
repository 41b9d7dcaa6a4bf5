package io.github.liquidscheduler.cli;

import java.lang.reflect.Field;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The options that a class declares.
 *
 * @param declaredIn the class
 * @param excepted the one that does not count; empty if all do
 */
record OptionGroup(Class<?> declaredIn, String excepted) {

  static OptionGroup of(Class<?> declaredIn) {
    return new OptionGroup(declaredIn, "");
  }

  OptionGroup except(String option) {
    return new OptionGroup(declaredIn, option);
  }

  /** Returns whether one of them was given on the command line. */
  boolean isGiven(CommandSpec spec) {
    return spec.commandLine().getParseResult().matchedOptions().stream()
        .filter(option -> !option.longestName().equals(excepted))
        .anyMatch(
            option ->
                option.userObject() instanceof Field field
                    && field.getDeclaringClass().equals(declaredIn));
  }

  /** Refuses all of them. */
  void refuse(CommandSpec spec, String why) {
    if (isGiven(spec)) {
      throw new ParameterException(spec.commandLine(), why);
    }
  }
}
