package io.github.liquidscheduler.formats;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a file does not follow its format. The message is one line: the file, the line and
 * column if known, the rule, and the value that broke it.
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
