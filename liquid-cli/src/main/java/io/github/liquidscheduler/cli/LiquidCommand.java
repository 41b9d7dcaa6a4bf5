package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.compare.CompareCommand;
import io.github.liquidscheduler.cli.conformance.ConformanceCommand;
import io.github.liquidscheduler.cli.fidelity.FidelityCommand;
import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.cli.output.PathArgument;
import io.github.liquidscheduler.cli.output.StandardOutput;
import io.github.liquidscheduler.cli.prediction.ConvertCommand;
import io.github.liquidscheduler.cli.prediction.EstimateCommand;
import io.github.liquidscheduler.cli.prediction.EvaluateCommand;
import io.github.liquidscheduler.cli.prediction.FeaturesCommand;
import io.github.liquidscheduler.cli.prediction.PredictCommand;
import io.github.liquidscheduler.cli.prediction.TrainCommand;
import io.github.liquidscheduler.cli.rounds.RoundsCommand;
import io.github.liquidscheduler.cli.sweep.SweepCommand;
import io.github.liquidscheduler.cli.topology.TopologyCommand;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
      CompareCommand.class,
      SweepCommand.class,
      PlaceCommand.class,
      PlanCommand.class,
      ReplayCommand.class,
      ExplainCommand.class,
      WhatIfCommand.class,
      RoundsCommand.class,
      ReproduceCommand.class,
      FidelityCommand.class,
      ConformanceCommand.class,
      TopologyCommand.class,
      EstimateCommand.class,
      TrainCommand.class,
      EvaluateCommand.class,
      PredictCommand.class,
      ConvertCommand.class,
      FeaturesCommand.class,
    },
    footer = {
      "",
      "Start with:        liquid demo",
      "Help of a command: liquid simulate --help",
      "",
      "Exit status: 0 success; 1 failure, also of writing output; 2 bad usage or input."
    })
public final class LiquidCommand implements Runnable {
  private static final int FAILURE = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  private LiquidCommand() {}

  /** Runs one command and exits with its status: 0 when it succeeded, 2 for bad usage or input. */
  public static void main(String[] arguments) {
    PrintWriter errors = new PrintWriter(System.err, true, System.err.charset());
    System.exit(run(new FileOutputStream(FileDescriptor.out), errors, arguments));
  }

  /** Returns the command line, ready to execute. */
  static CommandLine commandLine() {
    return new CommandLine(new LiquidCommand())
        .registerConverter(Duration.class, new DurationArgument())
        .registerConverter(Path.class, new PathArgument())
        .setUsageHelpWidth(100)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(UsageError::aboutUsage)
        .setExecutionExceptionHandler(UsageError::aboutExecution);
  }

  /** Shows the help. */
  @Override
  public void run() {
    CommandLine line = spec.commandLine();
    line.usage(line.getOut());
  }

  /** Runs one command and returns its exit status: 1 if what it printed could not be written. */
  static int run(OutputStream standardOutput, PrintWriter errors, String... arguments) {
    StandardOutput output = new StandardOutput(standardOutput);
    Writer text = new OutputStreamWriter(output, System.out.charset());
    PrintWriter out = new PrintWriter(new BufferedWriter(text), true);
    CommandLine commandLine = commandLine().setOut(out).setErr(errors);
    int status = execute(commandLine, arguments);
    out.flush();
    output.message().ifPresent(message -> UsageError.of(commandLine, FAILURE, message));
    return output.isBroken() ? Math.max(status, FAILURE) : status;
  }

  private static int execute(CommandLine commandLine, String... arguments) {
    try {
      return commandLine.execute(arguments);
    } catch (OutOfMemoryError e) {
      return UsageError.of(
          commandLine, FAILURE, "ran out of memory. Allow more with JAVA_TOOL_OPTIONS=-Xmx8g");
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
