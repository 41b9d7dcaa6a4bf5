package io.github.liquidscheduler.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The standard output. It keeps the first error of writing, which writers and print streams on it
 * swallow, and writes nothing after it.
 */
public final class StandardOutput extends OutputStream {

  private static final String READER_LEFT = "Broken pipe";

  private final OutputStream bytes;
  private @Nullable IOException error;

  /** Makes one that writes to {@code bytes}. */
  public StandardOutput(OutputStream bytes) {
    this.bytes = bytes;
  }

  @Override
  public void write(int single) throws IOException {
    write(new byte[] {(byte) single}, 0, 1);
  }

  @Override
  public void write(byte[] buffer, int offset, int length) throws IOException {
    attempt(() -> bytes.write(buffer, offset, length));
  }

  @Override
  public void flush() throws IOException {
    attempt(bytes::flush);
  }

  /** Returns true if something was not written. */
  public boolean isBroken() {
    return error != null;
  }

  /** Returns the error message; empty if the reader of a pipe left. */
  public Optional<String> message() {
    return Optional.ofNullable(error)
        .map(cause -> String.valueOf(cause.getMessage()))
        .filter(message -> !message.equals(READER_LEFT))
        .map(message -> "cannot write the standard output: " + message);
  }

  private void attempt(Attempt attempt) throws IOException {
    if (error != null) {
      throw error;
    }
    try {
      attempt.run();
    } catch (IOException e) {
      error = e;
      throw e;
    }
  }

  private interface Attempt {
    void run() throws IOException;
  }
}
