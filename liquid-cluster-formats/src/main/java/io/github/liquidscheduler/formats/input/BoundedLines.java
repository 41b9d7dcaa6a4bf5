package io.github.liquidscheduler.formats.input;

import io.github.liquidscheduler.formats.InputFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a UTF-8 text, plain or compressed with gzip. Lines are cut before they are decoded,
 * so that a line too long is refused after {@link #LONGEST} bytes and text that is not UTF-8 is
 * refused with the number of its line; a buffered {@code Reader} could do neither.
 */
public final class BoundedLines {

  /** The most bytes of a line. */
  public static final int LONGEST = 1 << 16;

  private static final int BUFFER = 1 << 16;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String source;
  private final InputStream bytes;
  private final byte[] buffer = new byte[BUFFER];
  private final byte[] line = new byte[LONGEST];
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private String comment = "";
  private int position;
  private int limit;
  private int number;
  // All bits of the bytes of the last line: no highest one if it is plain ASCII.
  private int bits;

  /** Reads bytes that the caller closes; {@code source} is what messages call them. */
  public BoundedLines(String source, InputStream bytes) {
    this.source = source;
    this.bytes = decompressed(bytes);
  }

  /** Returns the name of this text in messages. */
  String source() {
    return source;
  }

  /** Returns the number of the line last read, from 1. */
  int number() {
    return number;
  }

  /** Returns these lines without those that begin with {@code comment}, after blanks or not. */
  public BoundedLines withoutComments(String comment) {
    this.comment = comment;
    return this;
  }

  /** Returns the next line that is not blank, without its end, or null after the last. */
  public @Nullable String next() {
    String text = nextLine();
    while (text != null && (text.isBlank() || isComment(text))) {
      text = nextLine();
    }
    return text;
  }

  private boolean isComment(String text) {
    return !comment.isEmpty() && text.stripLeading().startsWith(comment);
  }

  /** Returns an exception about a rule broken on the line last read. */
  public InputFormatException error(String rule) {
    return error(rule, null);
  }

  private @Nullable String nextLine() {
    number++;
    try {
      int length = readLine();
      return length < 0 ? null : decoded(length);
    } catch (CharacterCodingException e) {
      throw error("the text must be UTF-8, but is not", e);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Brings the next line to the front of {@link #line}, and returns its length; -1 at the end. */
  private int readLine() throws IOException {
    int length = 0;
    bits = 0;
    boolean isRead = fill();
    if (!isRead) {
      return -1;
    }
    while (isRead && buffer[position] != '\n') {
      length = append(length, endOfLine());
      isRead = fill();
    }
    position += isRead ? 1 : 0;
    return length > 0 && line[length - 1] == '\r' ? length - 1 : length;
  }

  private int endOfLine() {
    int end = position;
    int seen = 0;
    while (end < limit && buffer[end] != '\n') {
      seen |= buffer[end++];
    }
    bits |= seen & 0xff;
    return end;
  }

  /** Adds what is in the buffer up to {@code end} to the line, and returns its length then. */
  private int append(int length, int end) {
    int more = end - position;
    if (more > LONGEST - length) {
      throw error("a line must have at most " + LONGEST + " bytes, but had more");
    }
    System.arraycopy(buffer, position, line, length, more);
    position = end;
    return length + more;
  }

  private boolean fill() throws IOException {
    if (position == limit) {
      limit = Math.max(0, bytes.read(buffer));
      position = 0;
    }
    return position < limit;
  }

  private String decoded(int length) throws CharacterCodingException {
    if (bits < 0x80) {
      return new String(line, 0, length, StandardCharsets.ISO_8859_1);
    }
    String text = decoder.decode(ByteBuffer.wrap(line, 0, length)).toString();
    return number == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  private InputStream decompressed(InputStream raw) {
    try {
      return Compression.decompressed(raw);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private InputFormatException unreadable(IOException cause) {
    return error(Compression.rule(cause), cause);
  }

  private InputFormatException error(String rule, @Nullable Throwable cause) {
    return new InputFormatException(source + ":" + number + ": " + rule, cause);
  }
}
