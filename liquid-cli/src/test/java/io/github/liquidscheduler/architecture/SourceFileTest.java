package io.github.liquidscheduler.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import com.google.googlejavaformat.java.StringWrapper;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SourceFileTest {

  private static final Formatter FORMATTER = new Formatter();

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
    assertUnchanged(SourceFileTest::formatted);
  }

  /** Apart, because this formats every file with a text block once more. */
  @Tag("slow")
  @Test
  void textBlocksAreIndentedAndLongStringsBroken() {
    assertUnchanged(source -> StringWrapper.wrap(source, FORMATTER));
  }

  @Test
  void theFormatterSeesWhatIsNotFormatted() throws FormatterException {
    String wide = "class  Wide {}\n";

    assertThat(formatted(wide)).isNotEqualTo(wide);
  }

  private static Set<Path> mainFolders() {
    return SourceTree.mainFiles().stream().map(Path::getParent).collect(toCollection(TreeSet::new));
  }

  private static void declaresNullMarked(Path folder) {
    Path description = folder.resolve("package-info.java");
    assertThat(description).exists().content().contains("/**").contains("@NullMarked\npackage ");
  }

  private static String formatted(String source) throws FormatterException {
    String ordered = ImportOrderer.reorderImports(source, JavaFormatterOptions.Style.GOOGLE);
    return FORMATTER.formatSource(RemoveUnusedImports.removeUnusedImports(ordered));
  }

  private static void assertUnchanged(Formatting formatting) {
    assertThat(SourceTree.javaFiles().parallelStream().filter(file -> changes(file, formatting)))
        .as("files to format with: bin/format (Maven on JDK 21 or newer)")
        .isEmpty();
  }

  private static boolean changes(Path file, Formatting formatting) {
    String source = SourceTree.read(file);
    try {
      return !formatting.formatted(source).equals(source);
    } catch (FormatterException e) {
      throw new IllegalArgumentException("The formatter cannot read " + file, e);
    }
  }

  @FunctionalInterface
  private interface Formatting {
    String formatted(String source) throws FormatterException;
  }
}
