package io.github.liquidscheduler.json;

import io.github.liquidscheduler.text.Count;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Cuts a stream of UTF-8 into lines and refuses one that is too long before it is read to its end.
 * Works on bytes, so that a character that is cut in half spoils its own line only.
 */
final class JournalLines {

  private final String source;
  private final InputStream bytes;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int filled;
  private int number;

  JournalLines(String source, InputStream bytes) {
    this.source = source;
    this.bytes = bytes;
  }

  /** A line, numbered from 1, without its end, and whether that followed. */
  @SuppressWarnings("ArrayRecordComponent")
  record Line(int number, byte[] bytes, boolean ended) {}

  /** Returns the next line, or empty at the end. */
  Optional<Line> next(int limit) {
    number++;
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean ended = readInto(line, limit);
    return line.size() == 0 && !ended
        ? Optional.empty()
        : Optional.of(new Line(number, withoutReturn(line.toByteArray(), ended), ended));
  }

  /** Leaves out the first half of a line end as Windows writes it. */
  private static byte[] withoutReturn(byte[] line, boolean ended) {
    boolean hasReturn = ended && line.length > 0 && line[line.length - 1] == '\r';
    return hasReturn ? Arrays.copyOf(line, line.length - 1) : line;
  }

  /** Parses what a line says. */
  JsonValue parse(int line, byte[] content, JsonDocuments documents) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      return documents.parse(source, line - 1, text);
    } catch (CharacterCodingException e) {
      throw new JsonFormatException(source, line, 1, "must be in UTF-8, but is not");
    }
  }

  void close() {
    try {
      bytes.close();
    } catch (IOException e) {
      throw Failures.reading(source, e);
    }
  }

  JsonFormatException refuse(int line, String rule) {
    return new JsonFormatException(source, line, 1, rule);
  }

  /** Returns true if the line ended before the stream did. */
  private boolean readInto(ByteArrayOutputStream line, int limit) {
    while (position < filled || fill()) {
      int end = position;
      while (end < filled && buffer[end] != '\n') {
        end++;
      }
      if (line.size() + (end - position) > limit) {
        throw refuse(
            number, "a line may have up to %s, but has more".formatted(Count.of(limit, "byte")));
      }
      line.write(buffer, position, end - position);
      position = Math.min(end + 1, filled);
      if (end < filled) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if there was more to read. */
  private boolean fill() {
    try {
      position = 0;
      filled = Math.max(0, bytes.read(buffer));
      return filled > 0;
    } catch (IOException e) {
      throw Failures.reading(source, e);
    }
  }
}
