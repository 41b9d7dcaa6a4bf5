package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.compare.CompareCommand;
import io.github.liquidscheduler.cli.prediction.ConvertCommand;
import io.github.liquidscheduler.cli.prediction.EstimateCommand;
import io.github.liquidscheduler.cli.prediction.FeaturesCommand;
import io.github.liquidscheduler.cli.prediction.PredictCommand;
import io.github.liquidscheduler.cli.prediction.TrainCommand;
import io.github.liquidscheduler.cli.rounds.RoundsCommand;
import io.github.liquidscheduler.cli.slurm.SlurmCommand;
import io.github.liquidscheduler.cli.sweep.SweepCommand;
import io.github.liquidscheduler.cli.topology.TopologyCommand;
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
      TopologyCommand.class,
      EstimateCommand.class,
      TrainCommand.class,
      PredictCommand.class,
      ConvertCommand.class,
      FeaturesCommand.class,
      SlurmCommand.class,
    },
    footer = {
      "",
      "Start with:        liquid demo",
      "Help of a command: liquid simulate --help",
      "",
      "Exit status: 0 success; 1 failure, also of writing output; 2 bad usage or input."
    })
public final class LiquidCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private LiquidCommand() {}

  /** Runs one command and exits with its status: 0 when it succeeded, 2 for bad usage or input. */
  public static void main(String[] arguments) {
    program().runAndExit(arguments);
  }

  /** Returns the program, ready to run. */
  static Program program() {
    return Program.of(new LiquidCommand());
  }

  /** Shows the help. */
  @Override
  public void run() {
    CommandLine line = spec.commandLine();
    line.usage(line.getOut());
  }

  /** Prints the version of the command line. */
  public static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = LiquidCommand.class.getPackage().getImplementationVersion();
      return new String[] {"liquid " + Objects.requireNonNullElse(version, "(not packaged)")};
    }
  }
}
