package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.cli.output.UnwritableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports an error as one line on the error stream, with a stack trace only if the environment
 * variable {@code LIQUID_DEBUG} is set.
 */
final class UsageError {

  private static final String DEBUG = "LIQUID_DEBUG";

  private static final int FAILURE = 1;
  private static final int BAD_INPUT = 2;

  private UsageError() {}

  /** Reports bad arguments and returns the exit status. */
  static int aboutUsage(ParameterException e, String[] arguments) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    return of(
        e.getCommandLine(),
        BAD_INPUT,
        e.getMessage() + suggestion(e) + ". See " + command + " --help");
  }

  /** Reports the failure of a command and returns the exit status. */
  static int aboutExecution(Exception e, CommandLine commandLine, ParseResult arguments) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    boolean debug = System.getenv(DEBUG) != null;
    if (debug) {
      e.printStackTrace(commandLine.getErr());
    }
    if (e instanceof UnwritableException || e instanceof CommandFailedException) {
      return of(commandLine, FAILURE, Objects.toString(e.getMessage(), e.toString()));
    }
    if (e instanceof IllegalArgumentException || e instanceof UncheckedIOException) {
      return of(commandLine, BAD_INPUT, Objects.toString(e.getMessage(), e.toString()));
    }
    if (e instanceof IOException) {
      return of(commandLine, BAD_INPUT, e.toString());
    }
    String hint = debug ? "" : ". Set " + DEBUG + "=1 for a stack trace";
    return of(commandLine, FAILURE, "unexpected error: " + e + hint);
  }

  /** Replaces class names of exceptions with words. */
  private static String plain(String message) {
    return message
        .replace("java.nio.file.NoSuchFileException: ", "there is no such file or folder: ")
        .replace("java.nio.file.FileAlreadyExistsException: ", "the file exists already: ")
        .replace("java.nio.file.AccessDeniedException: ", "access is denied: ")
        .replace("java.nio.file.FileSystemException: ", "")
        .replace("java.io.IOException: ", "");
  }

  private static String suggestion(ParameterException e) {
    return e instanceof UnmatchedArgumentException unmatched
            && !unmatched.getSuggestions().isEmpty()
        ? ", did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?"
        : "";
  }

  /** Prints one line and returns {@code status}. */
  static int of(CommandLine commandLine, int status, String message) {
    PrintWriter errors = commandLine.getErr();
    String line = plain(message).strip().replaceAll("\\s*\\R\\s*", " ");
    errors.println(
        commandLine.getCommandSpec().qualifiedName()
            + ": "
            + line.replaceFirst("([.?])\\. See", "$1 See"));
    errors.flush();
    return status;
  }
}
