package io.github.liquidscheduler.simulator.topology;

import org.jspecify.annotations.Nullable;

/**
 * Says that a file does not describe a cluster. The message is one line that names the file, the
 * line and column where there is one, the rule, and the value that broke it.
 */
public final class TopologyFormatException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  TopologyFormatException(String message) {
    this(message, null);
  }

  TopologyFormatException(String message, @Nullable Throwable cause) {
    super(message.replaceAll("\\p{Cntrl}", "\uFFFD"), cause);
  }
}
