package io.github.liquidscheduler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What a command says when it cannot go on: one line on the error stream, never a stack trace
 * unless the environment asks for it.
 */
final class UsageError {

  /** Set to anything, it shows where an error came from. */
  private static final String DEBUG = "LIQUID_DEBUG";

  private static final int FAILURE = 1;
  private static final int BAD_INPUT = 2;

  private UsageError() {}

  /** Complains about arguments and returns the exit status. */
  static int aboutUsage(ParameterException e, String[] arguments) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    return of(
        e.getCommandLine(),
        BAD_INPUT,
        e.getMessage() + suggestion(e) + ". See " + command + " --help");
  }

  /** Complains about what went wrong in a command and returns the exit status. */
  static int aboutExecution(Exception e, CommandLine commandLine, ParseResult arguments) {
    boolean debug = System.getenv(DEBUG) != null;
    if (debug) {
      e.printStackTrace(commandLine.getErr());
    }
    if (e instanceof IllegalArgumentException || e instanceof UncheckedIOException) {
      return of(commandLine, BAD_INPUT, Objects.toString(e.getMessage(), e.toString()));
    }
    if (e instanceof IOException) {
      return of(commandLine, BAD_INPUT, e.toString());
    }
    String hint = debug ? "" : ". Set " + DEBUG + "=1 to see where";
    return of(commandLine, FAILURE, "unexpected error: " + e + hint);
  }

  /** Says in words what files and their exceptions say by class names. */
  private static String plain(String message) {
    return message
        .replace("java.nio.file.NoSuchFileException: ", "there is no such file or folder: ")
        .replace("java.nio.file.FileAlreadyExistsException: ", "the file is there already: ")
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
