package io.github.liquidscheduler.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SourceFileTest {
  @Test
  void everyPackageSaysWhatItIsAndThatItHasNoNulls() {
    assertThat(mainFolders()).isNotEmpty().allSatisfy(SourceFileTest::declaresNullMarked);
  }

  /**
   * Here and not in a plug-in, because a plug-in runs in Maven's own JVM: on JDK 17 the formatter
   * cannot parse Java 21.
   */
  @Tag("slow")
  @Test
  void everyFileIsFormatted() {
    assertThat(SourceTree.javaFiles().stream().filter(SourceFileTest::isUnformatted))
        .as("files to format with: bin/format (Maven on JDK 21 or newer)")
        .isEmpty();
  }

  @Test
  void theFormatterSeesWhatIsNotFormatted() throws FormatterException {
    String wide = "class  Wide {}\n";

    assertThat(new Formatter().formatSourceAndFixImports(wide)).isNotEqualTo(wide);
  }

  private static Set<Path> mainFolders() {
    return SourceTree.mainFiles().stream().map(Path::getParent).collect(toCollection(TreeSet::new));
  }

  private static void declaresNullMarked(Path folder) {
    Path description = folder.resolve("package-info.java");
    assertThat(description).exists().content().contains("/**").contains("@NullMarked\npackage ");
  }

  private static boolean isUnformatted(Path file) {
    String source = SourceTree.read(file);
    try {
      return !new Formatter().formatSourceAndFixImports(source).equals(source);
    } catch (FormatterException e) {
      throw new IllegalArgumentException("The formatter cannot read " + file, e);
    }
  }
}
