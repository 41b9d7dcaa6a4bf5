package io.github.liquidscheduler.cli.output;

/** Says in one line why a command failed although what it was given is good: exit status 1. */
public final class CommandFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Makes the exception. */
  public CommandFailedException(String message) {
    super(message);
  }
}
