package io.github.liquidscheduler.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The loop takes no events: it was shut down, or could not go on. An event that is answered by this
 * was not acted on. Whether it is in the journal is known only if the loop was shut down: then it
 * is not.
 */
public final class LoopStoppedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  LoopStoppedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
