package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.ITypeInfo;

/** What the help says of each number that a command takes: its unit and its default. */
public final class OptionUnits {

  private static final Set<Class<?>> NUMBERS =
      Set.of(
          int.class,
          long.class,
          double.class,
          Integer.class,
          Long.class,
          Double.class,
          Duration.class,
          Memory.class,
          Bandwidth.class);

  /** What numbers count or measure. N says nothing. */
  private static final Set<String> UNITS =
      Set.of(
          "BANDWIDTH",
          "CELLS",
          "CHANGES",
          "CPUS",
          "DRAWS",
          "ENDS",
          "EVENTS",
          "FACTOR",
          "FRACTION",
          "GAIN",
          "GB/S",
          "GBIT/S",
          "GIB",
          "GPU-SECONDS",
          "GPUS",
          "INDEX",
          "JOBS",
          "LEVELS",
          "MOVES",
          "PAIRS",
          "PORT",
          "RUNS",
          "SECONDS",
          "SEED",
          "SETS",
          "SIZE",
          "STREAMS",
          "TASKS",
          "TIME",
          "TRACES");

  private OptionUnits() {}

  /** Checks a command and all below it. */
  public static void requireIn(CommandLine command) {
    for (ArgSpec arg : command.getCommandSpec().args()) {
      if (NUMBERS.contains(type(arg.typeInfo()))) {
        String name = command.getCommandSpec().qualifiedName() + " " + arg;
        String description = String.join(" ", arg.description());
        assertThat(UNITS).as("what %s counts or measures", name).contains(arg.paramLabel());
        assertThat(description.contains("default") || arg.required())
            .as("the default of %s", name)
            .isTrue();
      }
      if (type(arg.typeInfo()) == Duration.class) {
        assertThat(command.getUsageMessage().replaceAll("\\s+", " "))
            .contains(DurationArgument.FORM);
      }
    }
    command.getSubcommands().values().forEach(OptionUnits::requireIn);
  }

  private static Class<?> type(ITypeInfo type) {
    return type.isMultiValue() ? type.getAuxiliaryTypeInfos().getFirst().getType() : type.getType();
  }
}
