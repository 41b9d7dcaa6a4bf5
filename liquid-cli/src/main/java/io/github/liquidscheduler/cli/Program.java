package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.cli.output.PathArgument;
import io.github.liquidscheduler.cli.output.StandardOutput;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import picocli.CommandLine;

/** A command line program: its argument types, one-line errors, and exit status. */
public final class Program {

  private static final int FAILURE = 1;

  private final CommandLine commandLine;

  private Program(CommandLine commandLine) {
    this.commandLine = commandLine;
  }

  /** Returns the program of a command, its subcommands, and some more subcommands. */
  public static Program of(Object command, Object... subcommands) {
    CommandLine line = new CommandLine(command);
    Stream.of(subcommands).forEach(line::addSubcommand);
    return new Program(
        line.registerConverter(Duration.class, new DurationArgument())
            .registerConverter(Path.class, new PathArgument())
            .setUsageHelpWidth(100)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler(UsageError::aboutUsage)
            .setExecutionExceptionHandler(UsageError::aboutExecution));
  }

  /** Returns the command line, ready to execute. */
  public CommandLine commandLine() {
    return commandLine;
  }

  /** Runs one command and exits the JVM with its status. */
  public void runAndExit(String... arguments) {
    PrintWriter errors = new PrintWriter(System.err, true, System.err.charset());
    System.exit(run(new FileOutputStream(FileDescriptor.out), errors, arguments));
  }

  /**
   * Runs one command; returns 0 for success, 1 for failure, also of the output, 2 for bad input.
   */
  public int run(OutputStream standardOutput, PrintWriter errors, String... arguments) {
    StandardOutput output = new StandardOutput(standardOutput);
    Writer text = new OutputStreamWriter(output, System.out.charset());
    PrintWriter out = new PrintWriter(new BufferedWriter(text), true);
    commandLine.setOut(out).setErr(errors);
    int status = execute(arguments);
    out.flush();
    output.message().ifPresent(message -> UsageError.of(commandLine, FAILURE, message));
    return output.isBroken() ? Math.max(status, FAILURE) : status;
  }

  private int execute(String... arguments) {
    try {
      return commandLine.execute(arguments);
    } catch (OutOfMemoryError e) {
      return UsageError.of(
          commandLine, FAILURE, "ran out of memory. Allow more with JAVA_TOOL_OPTIONS=-Xmx8g");
    }
  }
}
