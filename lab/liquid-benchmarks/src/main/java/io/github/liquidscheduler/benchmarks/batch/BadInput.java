package io.github.liquidscheduler.benchmarks.batch;

import picocli.CommandLine;

/** Ends a command whose input was bad with a line that says so, and no stack trace. */
final class BadInput implements CommandLine.IExecutionExceptionHandler {

  @Override
  public int handleExecutionException(
      Exception problem, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
    if (!(problem instanceof IllegalArgumentException)) {
      throw problem;
    }
    command.getErr().println(command.getCommandName() + ": " + problem.getMessage());
    return CommandLine.ExitCode.USAGE;
  }
}
