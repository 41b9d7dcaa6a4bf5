package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.prediction.ConvertCommand;
import io.github.liquidscheduler.cli.prediction.EstimateCommand;
import io.github.liquidscheduler.cli.prediction.EvaluateCommand;
import io.github.liquidscheduler.cli.prediction.PredictCommand;
import io.github.liquidscheduler.cli.prediction.TrainCommand;
import io.github.liquidscheduler.cli.topology.TopologyCommand;
import java.time.Duration;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The {@code liquid} command line. */
@Command(
    name = "liquid",
    description = {
      "Schedules deep-learning jobs on GPU clusters: simulates, places, plans, predicts.",
      ""
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommandsRepeatable = false,
    versionProvider = LiquidCommand.Version.class,
    subcommands = {
      DemoCommand.class,
      SimulateCommand.class,
      PlaceCommand.class,
      PlanCommand.class,
      ReplayCommand.class,
      ReproduceCommand.class,
      TopologyCommand.class,
      EstimateCommand.class,
      TrainCommand.class,
      EvaluateCommand.class,
      PredictCommand.class,
      ConvertCommand.class,
    },
    footer = {
      "",
      "Start with:        liquid demo",
      "Help of a command: liquid simulate --help",
      "",
      "Exit status: 0 success, 1 failure, 2 bad usage or input."
    })
public final class LiquidCommand implements Runnable {
  private LiquidCommand() {}

  /** Runs one command and exits with its status: 0 when it succeeded, 2 for bad usage or input. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Returns the command line, ready to execute. */
  static CommandLine commandLine() {
    return new CommandLine(new LiquidCommand())
        .registerConverter(Duration.class, new DurationArgument())
        .setUsageHelpWidth(100)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(UsageError::aboutUsage)
        .setExecutionExceptionHandler(UsageError::aboutExecution);
  }

  /** Shows the help. */
  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }

  private static int run(String[] arguments) {
    CommandLine commandLine = commandLine();
    try {
      return commandLine.execute(arguments);
    } catch (OutOfMemoryError e) {
      return UsageError.of(
          commandLine, 1, "ran out of memory. Allow more with JAVA_TOOL_OPTIONS=-Xmx8g");
    }
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = LiquidCommand.class.getPackage().getImplementationVersion();
      return new String[] {"liquid " + Objects.requireNonNullElse(version, "(not packaged)")};
    }
  }
}
