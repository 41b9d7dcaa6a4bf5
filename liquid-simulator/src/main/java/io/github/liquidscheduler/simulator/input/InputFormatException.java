package io.github.liquidscheduler.simulator.input;

import org.jspecify.annotations.Nullable;

/**
 * Says that a file is not what it was said to be. The message is one line that names the file, the
 * line and column where there is one, the rule, and the value that broke it.
 */
public final class InputFormatException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** Makes the exception. */
  public InputFormatException(String message) {
    this(message, null);
  }

  /** Makes the exception, with what it follows from. */
  public InputFormatException(String message, @Nullable Throwable cause) {
    super(message.replaceAll("\\p{Cntrl}", "\uFFFD"), cause);
  }
}
