package io.github.liquidscheduler.architecture;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SourceFileTest {
  private static final Path ROOT = root();

  @Test
  void everyPackageSaysWhatItIsAndThatItHasNoNulls() {
    assertThat(mainFolders()).isNotEmpty().allSatisfy(SourceFileTest::declaresNullMarked);
  }

  /**
   * Here and not in a plug-in, because a plug-in runs in Maven's own JVM: on JDK 17 the formatter
   * cannot parse Java 21.
   */
  @Test
  void everyFileIsFormatted() {
    assertThat(sources().filter(SourceFileTest::isUnformatted))
        .as("files to format with: mvn spotless:apply (Maven on JDK 21 or newer)")
        .isEmpty();
  }

  @Test
  void theFormatterSeesWhatIsNotFormatted() throws FormatterException {
    String wide = "class  Wide {}\n";

    assertThat(new Formatter().formatSourceAndFixImports(wide)).isNotEqualTo(wide);
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".mvn"))) {
      folder = Objects.requireNonNull(folder.getParent(), "no folder above has a .mvn");
    }
    return folder;
  }

  private static Stream<Path> sources() {
    return list(ROOT)
        .filter(module -> Files.exists(module.resolve("pom.xml")))
        .map(module -> module.resolve("src"))
        .filter(Files::isDirectory)
        .flatMap(SourceFileTest::walk)
        .filter(file -> file.toString().endsWith(".java"));
  }

  private static Stream<Path> mainFolders() {
    return sources()
        .filter(file -> file.toString().contains("/src/main/java/"))
        .filter(file -> !file.endsWith("module-info.java"))
        .collect(groupingBy(Path::getParent, TreeMap::new, toList()))
        .keySet()
        .stream();
  }

  private static void declaresNullMarked(Path folder) {
    Path description = folder.resolve("package-info.java");
    assertThat(description).exists().content().contains("/**").contains("@NullMarked\npackage ");
  }

  private static boolean isUnformatted(Path file) {
    String source = read(file);
    try {
      return !new Formatter().formatSourceAndFixImports(source).equals(source);
    } catch (FormatterException e) {
      throw new IllegalArgumentException("The formatter cannot read " + file, e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> list(Path folder) {
    try (Stream<Path> children = Files.list(folder)) {
      return List.copyOf(children.sorted().toList()).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> walk(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
