package io.github.liquidscheduler.json;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.util.function.Supplier;

/** Passes on what another reader reads, up to a number of characters. */
final class BoundedReader extends FilterReader {

  private final Supplier<? extends RuntimeException> refusal;
  private long left;

  BoundedReader(Reader in, long limit, Supplier<? extends RuntimeException> refusal) {
    super(in);
    this.left = limit;
    this.refusal = refusal;
  }

  @Override
  public int read() throws IOException {
    int character = in.read();
    count(character < 0 ? 0 : 1);
    return character;
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    int count = in.read(buffer, offset, length);
    count(Math.max(0, count));
    return count;
  }

  private void count(int characters) {
    left -= characters;
    if (left < 0) {
      throw refusal.get();
    }
  }
}
