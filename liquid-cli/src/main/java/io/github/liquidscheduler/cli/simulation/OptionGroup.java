package io.github.liquidscheduler.cli.simulation;

import io.github.liquidscheduler.cli.output.OptionRules;
import java.lang.reflect.Field;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The options that a class declares, without those that are excepted. */
public record OptionGroup(Class<?> declaredIn, List<String> excepted) {

  /** Returns those that {@code declaredIn} declares. */
  public static OptionGroup of(Class<?> declaredIn) {
    return new OptionGroup(declaredIn, List.of());
  }

  /** Returns these options without some. */
  public OptionGroup except(List<String> options) {
    return new OptionGroup(declaredIn, List.copyOf(options));
  }

  /** Returns true if one of them was given on the command line. */
  public boolean isGiven(CommandSpec spec) {
    return spec.commandLine().getParseResult().matchedOptions().stream()
        .filter(option -> !excepted.contains(option.longestName()))
        .anyMatch(
            option ->
                option.userObject() instanceof Field field
                    && field.getDeclaringClass().equals(declaredIn));
  }

  /** Refuses all of them. */
  public void refuse(CommandSpec spec, String why) {
    OptionRules.refuseIf(spec, isGiven(spec), why);
  }
}
