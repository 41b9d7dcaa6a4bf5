package io.github.liquidscheduler.cli.output;

/** Thrown if a command failed on valid input, with a message of one line: exit status 1. */
public final class CommandFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Makes the exception. */
  public CommandFailedException(String message) {
    super(message);
  }
}
