package io.github.liquidscheduler.formats.input;

import io.github.liquidscheduler.formats.InputFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;

/** Reads files; failures name the file and the cause. */
public final class SourceFile {
  private SourceFile() {}

  @FunctionalInterface
  private interface Reading<T> {
    T read() throws IOException;
  }

  /**
   * Reads a file of any size.
   *
   * @param reader is given the file's name and its bytes
   * @throws InputFormatException if there is no such file, or it cannot be read
   */
  public static <T> T read(Path file, BiFunction<String, InputStream, T> reader) {
    return read(file, Long.MAX_VALUE, reader);
  }

  /**
   * Reads a file up to a size.
   *
   * @param mostBytes the largest file that is read
   * @param reader is given the file's name and its bytes
   * @throws InputFormatException if there is no such file, it is larger, or it cannot be read
   */
  public static <T> T read(Path file, long mostBytes, BiFunction<String, InputStream, T> reader) {
    return checked(
        file,
        mostBytes,
        () -> {
          try (InputStream bytes = Files.newInputStream(file)) {
            return reader.apply(file.toString(), bytes);
          }
        });
  }

  /**
   * Returns the bytes of a file, which the caller closes.
   *
   * @throws InputFormatException if there is no such file, or it cannot be read
   */
  public static InputStream open(Path file) {
    return checked(file, Long.MAX_VALUE, () -> Files.newInputStream(file));
  }

  /**
   * Returns the lines of a UTF-8 file without their ends.
   *
   * @param mostBytes the largest file that is read
   * @throws InputFormatException if there is no such file, it is larger, or it cannot be read
   */
  public static List<String> lines(Path file, long mostBytes) {
    return checked(file, mostBytes, () -> Files.readAllLines(file));
  }

  private static <T> T checked(Path file, long mostBytes, Reading<T> reading) {
    if (Files.isDirectory(file)) {
      throw new InputFormatException(file + ": must be a file, but is a directory");
    }
    try {
      if (Files.size(file) > mostBytes) {
        throw new InputFormatException(
            file + ": must have at most " + mostBytes + " bytes, but has more");
      }
      return reading.read();
    } catch (NoSuchFileException e) {
      throw new InputFormatException(file + ": there is no such file", e);
    } catch (CharacterCodingException e) {
      throw new InputFormatException(file + ": the text must be UTF-8, but is not", e);
    } catch (IOException e) {
      throw new InputFormatException(file + ": must be readable, but: " + e, e);
    }
  }
}
