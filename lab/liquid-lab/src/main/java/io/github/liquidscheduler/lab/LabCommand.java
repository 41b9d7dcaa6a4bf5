package io.github.liquidscheduler.lab;

import io.github.liquidscheduler.cli.ExplainCommand;
import io.github.liquidscheduler.cli.LiquidCommand;
import io.github.liquidscheduler.cli.PlaceCommand;
import io.github.liquidscheduler.cli.PlanCommand;
import io.github.liquidscheduler.cli.Program;
import io.github.liquidscheduler.cli.ReplayCommand;
import io.github.liquidscheduler.cli.SimulateCommand;
import io.github.liquidscheduler.cli.WhatIfCommand;
import io.github.liquidscheduler.cli.compare.CompareCommand;
import io.github.liquidscheduler.cli.sweep.SweepCommand;
import io.github.liquidscheduler.lab.calibration.LabTopology;
import io.github.liquidscheduler.lab.conformance.ConformanceCommand;
import io.github.liquidscheduler.lab.evaluate.EvaluateCommand;
import io.github.liquidscheduler.lab.fidelity.FidelityCommand;
import io.github.liquidscheduler.lab.reproduce.ReproduceCommand;
import io.github.liquidscheduler.lab.simulate.ReferenceCommand;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The {@code liquid-lab} command line: published simulators and experiments, and commands of {@code
 * liquid} with the placers and planners of other systems.
 */
@Command(
    name = "liquid-lab",
    description = {
      "Reproduces published schedulers and experiments, and compares Liquid with them.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = LiquidCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommandsRepeatable = false,
    subcommands = {
      CompareCommand.class,
      SweepCommand.class,
      PlaceCommand.class,
      PlanCommand.class,
      ReplayCommand.class,
      ExplainCommand.class,
      WhatIfCommand.class,
      ReproduceCommand.class,
      FidelityCommand.class,
      ConformanceCommand.class,
      EvaluateCommand.class,
      LabTopology.class
    },
    footer = {
      "",
      "simulate --reference SIMULATOR runs a published simulator. Without that option simulate,"
          + " and",
      "compare, sweep, place, plan, replay, explain and whatif, are the commands of liquid with"
          + " more",
      "placers and planners by name.",
      "",
      "Exit status: 0 success; 1 failure, also of writing output; 2 bad usage or input."
    })
public final class LabCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  private LabCommand() {}

  /** Runs one command and exits with its status: 0 when it succeeded, 2 for bad usage or input. */
  public static void main(String[] arguments) {
    program(arguments).runAndExit(arguments);
  }

  /** Returns the program for some arguments: they say which of two commands simulates. */
  public static Program program(String... arguments) {
    boolean isReference = Arrays.stream(arguments).anyMatch(LabCommand::namesReference);
    return Program.of(
        new LabCommand(), isReference ? new ReferenceCommand() : new SimulateCommand());
  }

  private static boolean namesReference(String argument) {
    return argument.equals("--reference") || argument.startsWith("--reference=");
  }

  /** Shows the help. */
  @Override
  public void run() {
    CommandLine line = spec.commandLine();
    line.usage(line.getOut());
  }
}
