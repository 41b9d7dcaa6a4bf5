package io.github.liquidscheduler.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's files as they lie in its folder. */
final class SourceTree {
  static final Path ROOT = root();
  private static final Pattern NO_CODE = Pattern.compile("\\s*(//.*|\\*.*|/\\*.*)?");

  private SourceTree() {}

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".mvn"))) {
      folder = Objects.requireNonNull(folder.getParent(), "no folder above has a .mvn");
    }
    return folder;
  }

  /** Returns the folders of all modules. */
  static List<Path> modules() {
    return Stream.of(ROOT, ROOT.resolve("integrations"), ROOT.resolve("lab"))
        .filter(Files::isDirectory)
        .flatMap(folder -> list(folder).stream())
        .filter(folder -> Files.exists(folder.resolve("pom.xml")))
        .toList();
  }

  /** Returns all Java files, those of tests too. */
  static List<Path> javaFiles() {
    return modules().stream()
        .map(module -> module.resolve("src"))
        .filter(Files::isDirectory)
        .flatMap(source -> walk(source).stream())
        .filter(file -> file.toString().endsWith(".java"))
        .toList();
  }

  /** Returns the Java files that ship, but for descriptions of modules. */
  static List<Path> mainFiles() {
    return javaFiles().stream()
        .filter(file -> file.toString().contains("/src/main/java/"))
        .filter(file -> !file.endsWith("module-info.java"))
        .toList();
  }

  /** Returns the Java files that hold a type and ship. */
  static List<Path> typeFiles() {
    return mainFiles().stream().filter(file -> !file.endsWith("package-info.java")).toList();
  }

  /** Returns the number of lines that hold more than a comment. */
  static long linesOfCode(String source) {
    return source.lines().filter(line -> !NO_CODE.matcher(line).matches()).count();
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Path> list(Path folder) {
    try (Stream<Path> children = Files.list(folder)) {
      return children.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> walk(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
