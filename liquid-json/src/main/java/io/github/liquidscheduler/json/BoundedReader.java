package io.github.liquidscheduler.json;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.util.function.Supplier;

/** Passes on a number of characters of another reader, without a byte order mark. */
final class BoundedReader extends FilterReader {

  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final Supplier<? extends RuntimeException> refusal;
  private long left;
  private boolean isStart = true;

  BoundedReader(Reader in, long limit, Supplier<? extends RuntimeException> refusal) {
    super(in);
    this.left = limit;
    this.refusal = refusal;
  }

  @Override
  public int read() throws IOException {
    char[] one = new char[1];
    return read(one, 0, 1) < 0 ? -1 : one[0];
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    int count = in.read(buffer, offset, length);
    count(Math.max(0, count));
    if (isStart && count > 0) {
      isStart = false;
      return buffer[offset] == BYTE_ORDER_MARK ? withoutFirst(buffer, offset, count) : count;
    }
    return count;
  }

  private int withoutFirst(char[] buffer, int offset, int count) throws IOException {
    System.arraycopy(buffer, offset + 1, buffer, offset, count - 1);
    return count > 1 ? count - 1 : read(buffer, offset, 1);
  }

  private void count(int characters) {
    left -= characters;
    if (left < 0) {
      throw refusal.get();
    }
  }
}
