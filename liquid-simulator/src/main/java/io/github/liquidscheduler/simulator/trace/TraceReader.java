package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.simulator.input.InputFormatException;
import io.github.liquidscheduler.simulator.input.SourceFile;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * Reads traces of one format. Text is UTF-8, plain or compressed with gzip, which is recognised by
 * its content. A file is read line by line, and a line longer than 65,536 bytes is refused without
 * being read to its end. Thread-safe.
 */
@FunctionalInterface
public interface TraceReader {

  /**
   * Reads a trace from {@code bytes}, which the caller closes.
   *
   * @param source what messages call the bytes, such as a file name
   * @throws InputFormatException if the bytes are not a trace of this format
   */
  Trace read(String source, InputStream bytes);

  /**
   * Reads a trace from a file.
   *
   * @throws InputFormatException if there is no such file, it cannot be read, or it is not a trace
   *     of this format
   */
  default Trace read(Path file) {
    return SourceFile.read(file, this::read);
  }

  /**
   * Opens a trace in a file, which is checked as a whole at once. If its jobs are in the order of
   * their submission, and each is on a line of its own, they are not held, and the file is read
   * again whenever somebody goes through them; it must stay as it is. Else this is {@link #read}.
   *
   * @throws InputFormatException as {@link #read} does
   */
  default TraceSource open(Path file) {
    return read(file);
  }
}
