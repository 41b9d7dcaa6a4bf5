package io.github.liquidscheduler.simulator.input;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a file violates its format. The message is one line that names the file, the line and
 * column if any, the rule, and the offending value.
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
