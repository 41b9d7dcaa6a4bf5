package io.github.liquidscheduler.simulator.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * A small trace that comes with the library, for first steps and tests: 240 jobs of up to 16 GPUs
 * and 8 hours, submitted over about four hours.
 */
public final class SampleTrace {

  static final String RESOURCE = "sample-240.csv";

  private SampleTrace() {}

  /** Reads the sample. */
  public static Trace read() {
    try (InputStream bytes = SampleTrace.class.getResourceAsStream(RESOURCE)) {
      return TraceFormat.TIRESIAS.reader().read(RESOURCE, Objects.requireNonNull(bytes, RESOURCE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
