package io.github.liquidscheduler.cli.output;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Thrown if output could not be written: a failure, not bad input. */
public final class UnwritableException extends UncheckedIOException {
  private static final long serialVersionUID = 1;

  /** Makes the exception; {@code target} is what could not be written. */
  public UnwritableException(String target, IOException cause) {
    super("cannot write " + target + ": " + cause, cause);
  }
}
