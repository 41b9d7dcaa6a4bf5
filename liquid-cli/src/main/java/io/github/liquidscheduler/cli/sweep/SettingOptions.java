package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.cluster.ClusterOption;
import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.cli.output.PathArgument;
import io.github.liquidscheduler.cli.simulation.SimulateConditions;
import io.github.liquidscheduler.cli.simulation.TraceOptions;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The options of a setting, which are those of {@code liquid compare}. */
@Command(name = "setting")
final class SettingOptions {

  @Mixin private final TraceOptions trace = new TraceOptions();

  @Mixin private final ClusterOption cluster = new ClusterOption();

  @Mixin private final SimulateConditions conditions = new SimulateConditions();

  /** Returns those of a setting; what was left out of the trace will be told to {@code errors}. */
  static SettingOptions of(SweepSetting setting, PrintWriter errors) {
    SettingOptions options = new SettingOptions();
    parse(options, setting.arguments(), errors);
    return options;
  }

  /**
   * Returns the value of an option as a sweep keeps it: that of a file whole, so that it does not
   * depend on where a sweep is run.
   *
   * @param folder what names of files are relative to
   * @throws IllegalArgumentException if {@code conditions} has no such option, or not this value
   */
  static String checked(String name, String value, Path folder) {
    CommandLine line = new CommandLine(new SimulateConditions());
    OptionSpec option = line.getCommandSpec().findOption("--" + name);
    if (option == null) {
      throw new IllegalArgumentException(
          "'%s' is not one of the options of a sweep: %s"
              .formatted(name, String.join(", ", names(line))));
    }
    String whole = option.type() == Path.class ? folder.resolve(value).toString() : value;
    PrintWriter nobody = new PrintWriter(Writer.nullWriter());
    parse(new SimulateConditions(), List.of("--" + name + "=" + whole), nobody);
    return whole;
  }

  private static List<String> names(CommandLine line) {
    return line.getCommandSpec().options().stream()
        .map(option -> option.longestName().substring(2))
        .toList();
  }

  private static void parse(Object options, List<String> arguments, PrintWriter errors) {
    try {
      new CommandLine(options)
          .registerConverter(Duration.class, new DurationArgument())
          .registerConverter(Path.class, new PathArgument())
          .setErr(errors)
          .parseArgs(arguments.toArray(String[]::new));
    } catch (ParameterException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  TraceOptions trace() {
    return trace;
  }

  ClusterOption cluster() {
    return cluster;
  }

  SimulateConditions conditions() {
    return conditions;
  }
}
