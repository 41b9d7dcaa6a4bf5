package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.SourceFile;
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
   * Opens and checks a trace in a file. If its jobs are ordered by submission, one per line, they
   * are not held: the file is read again for each iteration and must stay unchanged. Otherwise this
   * is {@link #read}.
   *
   * @throws InputFormatException as {@link #read} does
   */
  default TraceSource open(Path file) {
    return read(file);
  }
}
