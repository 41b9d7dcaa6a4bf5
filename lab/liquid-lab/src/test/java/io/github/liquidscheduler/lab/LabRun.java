package io.github.liquidscheduler.lab;

import io.github.liquidscheduler.cli.Command;

/** Runs of the laboratory's command line in this process. */
public final class LabRun {

  private LabRun() {}

  /** Runs one command. */
  public static Command of(String... arguments) {
    return Command.run(LabCommand.program(arguments), arguments);
  }
}
