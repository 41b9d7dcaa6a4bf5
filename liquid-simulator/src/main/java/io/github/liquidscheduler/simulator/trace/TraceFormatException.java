package io.github.liquidscheduler.simulator.trace;

import org.jspecify.annotations.Nullable;

/**
 * Says that a file is not the trace it was said to be. The message is one line that names the file,
 * the line and column where there is one, the rule, and the value that broke it.
 */
public final class TraceFormatException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  TraceFormatException(String message) {
    this(message, null);
  }

  TraceFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
