package io.github.liquidscheduler.simulator.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.BiFunction;

/** Opens and closes the file that a reader reads, and says what is wrong with it. */
final class SourceFile {

  private SourceFile() {}

  static <T> T read(Path file, BiFunction<String, InputStream, T> reader) {
    if (Files.isDirectory(file)) {
      throw new TraceFormatException(file + ": must be a file, but is a directory");
    }
    try (InputStream bytes = Files.newInputStream(file)) {
      return reader.apply(file.toString(), bytes);
    } catch (NoSuchFileException e) {
      throw new TraceFormatException(file + ": there is no such file", e);
    } catch (IOException e) {
      throw new TraceFormatException(file + ": must be readable, but: " + e, e);
    }
  }
}
