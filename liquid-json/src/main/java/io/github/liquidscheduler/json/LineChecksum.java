package io.github.liquidscheduler.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The check sum that ends each line of a journal, as the last field of its object: the CRC-32C of
 * the check sum before it (nothing, for the first line) and of the line up to this field. So a line
 * that was changed is told from a whole one, and so is one before which lines were taken out, added
 * or moved. Goes from line to line.
 */
final class LineChecksum {

  private static final byte[] FIELD = ",\"crc32c\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\"}".getBytes(StandardCharsets.US_ASCII);
  private static final int DIGITS = 8;
  private static final int LENGTH = FIELD.length + DIGITS + END.length;

  private byte[] last = {};

  /** Returns a line, which is an object with fields, with its check sum. */
  String seal(String line) {
    String content = line.substring(0, line.length() - 1);
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    last = digits(bytes, bytes.length);
    return content + ascii(FIELD) + ascii(last) + ascii(END);
  }

  /** Returns the next line without its check sum; empty if it has none, or a wrong one. */
  Optional<byte[]> open(byte[] line) {
    if (!isWhole(line, line.length)) {
      return Optional.empty();
    }
    int length = line.length - LENGTH;
    last = digits(line, length);
    byte[] content = Arrays.copyOf(line, length + 1);
    content[length] = '}';
    return Optional.of(content);
  }

  /** Returns true if {@code bytes} begin with the whole next line, whatever follows it. */
  boolean isFollowedBySomething(byte[] bytes) {
    for (int end = bytes.length; end >= LENGTH; end--) {
      if (isWhole(bytes, end)) {
        return true;
      }
    }
    return false;
  }

  private boolean isWhole(byte[] bytes, int length) {
    int content = length - LENGTH;
    int digits = content + FIELD.length;
    return content > 0
        && isAt(bytes, content, FIELD)
        && isAt(bytes, digits + DIGITS, END)
        && isAt(bytes, digits, digits(bytes, content));
  }

  private static boolean isAt(byte[] bytes, int from, byte[] part) {
    return Arrays.equals(bytes, from, from + part.length, part, 0, part.length);
  }

  private byte[] digits(byte[] content, int length) {
    CRC32C sum = new CRC32C();
    sum.update(last, 0, last.length);
    sum.update(content, 0, length);
    return HexFormat.of().toHexDigits((int) sum.getValue()).getBytes(StandardCharsets.US_ASCII);
  }

  private static String ascii(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
