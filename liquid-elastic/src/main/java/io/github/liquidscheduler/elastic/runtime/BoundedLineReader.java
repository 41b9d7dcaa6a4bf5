package io.github.liquidscheduler.elastic.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/** Reads lines of UTF-8 of a bounded length. */
final class BoundedLineReader {
  private final InputStream bytes;
  private final int maxBytes;

  BoundedLineReader(InputStream bytes, int maxBytes) {
    this.bytes = new BufferedInputStream(bytes);
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the next line, or null at the end; what is there of a line that does not end is none.
   *
   * @throws IllegalArgumentException if the line is too long, or not UTF-8
   */
  @Nullable String next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int read = bytes.read(); read >= 0; read = bytes.read()) {
      if (read == '\n') {
        return decode(line);
      }
      if (line.size() == maxBytes) {
        throw new IllegalArgumentException("a line has more than %d bytes".formatted(maxBytes));
      }
      line.write(read);
    }
    return null;
  }

  private static String decode(ByteArrayOutputStream line) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(line.toByteArray())).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a line is not UTF-8", e);
    }
  }
}
