package io.github.liquidscheduler.cli.output;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A file that a command writes. It is checked as the command line is read, so that nothing is
 * computed for a file that cannot be written.
 */
public record OutputFile(Path path) {

  private static final Path STANDARD_OUTPUT = Path.of("-");

  /** A writer of content. */
  @FunctionalInterface
  public interface Content {
    /** Writes it to a file. */
    void writeTo(Path file) throws IOException;
  }

  /** Text that is written. */
  @FunctionalInterface
  public interface Text {
    /** Appends it. */
    void appendTo(Appendable text) throws IOException;
  }

  /** Reads one from the command line, and refuses what cannot be written. */
  public static final class Converter implements ITypeConverter<OutputFile> {
    @Override
    public OutputFile convert(String value) {
      OutputFile file = new OutputFile(new PathArgument().convert(value));
      file.obstacle().ifPresent(why -> refuse(value, why));
      return file;
    }

    private static void refuse(String value, String why) {
      throw new TypeConversionException("cannot write '" + value + "': " + why);
    }
  }

  /** Returns true if it stands for the standard output: {@code -}. */
  public boolean isStandardOutput() {
    return path.equals(STANDARD_OUTPUT);
  }

  /**
   * Writes the file.
   *
   * @throws UnwritableException if that fails
   */
  public void write(Content content) {
    try {
      content.writeTo(path);
    } catch (IOException e) {
      throw new UnwritableException("'" + path + "'", e);
    }
  }

  /**
   * Writes text to the file, or to the standard output if it stands for that.
   *
   * @throws UnwritableException if that fails; the standard output keeps its errors to itself
   */
  public void writeText(PrintWriter standardOutput, Text content) {
    write(
        file -> {
          try (Writer text = isStandardOutput() ? null : Files.newBufferedWriter(file)) {
            content.appendTo(text == null ? standardOutput : text);
          } catch (UncheckedIOException e) {
            throw e.getCause();
          }
        });
  }

  /**
   * Returns the result of {@code content} while it writes text, as {@link #writeText} does.
   *
   * @throws UnwritableException if that fails; the standard output keeps its errors to itself
   */
  public <T> T writeTextOf(PrintWriter standardOutput, Function<Appendable, T> content) {
    List<T> made = new ArrayList<>();
    writeText(standardOutput, text -> made.add(content.apply(text)));
    return made.getFirst();
  }

  private Optional<String> obstacle() {
    if (isStandardOutput()) {
      return Optional.empty();
    }
    if (path.toString().isBlank()) {
      return Optional.of("a file must have a name");
    }
    if (Files.isDirectory(path)) {
      return Optional.of("it is a folder");
    }
    Path folder = path.toAbsolutePath().normalize().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      return Optional.of("there is no folder '" + folder + "'");
    }
    Path changed = Files.exists(path) ? path : folder;
    return Files.isWritable(changed)
        ? Optional.empty()
        : Optional.of("access to '" + changed + "' is denied");
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
