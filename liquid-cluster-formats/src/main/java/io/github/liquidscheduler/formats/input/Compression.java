package io.github.liquidscheduler.formats.input;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Recognises gzip by its content. */
final class Compression {

  private static final int BUFFER = 1 << 16;

  private Compression() {}

  /** Returns the bytes, decompressed if they are gzip. */
  static InputStream decompressed(InputStream raw) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(raw, BUFFER);
    buffered.mark(2);
    boolean gzip = buffered.read() == 0x1f && buffered.read() == 0x8b;
    buffered.reset();
    return gzip ? new GZIPInputStream(buffered, BUFFER) : buffered;
  }

  /** Returns the rule that data broke which could not be read. */
  static String rule(IOException cause) {
    return cause instanceof EOFException
        ? "the gzip data must be whole, but is cut short"
        : "the data must be readable, but: " + cause;
  }
}
