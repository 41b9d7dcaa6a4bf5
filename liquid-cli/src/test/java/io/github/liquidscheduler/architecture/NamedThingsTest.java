package io.github.liquidscheduler.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pages and code name is there: types, files and pages. */
class NamedThingsTest {
  private static final String TYPE = "`(?:\\w+/)?([A-Z][a-z]\\w+)";
  private static final String FILE = "`((?:docs|dashboards|lab|bin)/[\\w./-]+)`";
  private static final String PAGE = "\\b((?:lab/liquid-lab/)?docs/[a-z-]+\\.md)";
  private static final String TEST = "`(\\w+(?:Test|Laws|Contract))\\b";

  @ParameterizedTest
  @CsvSource({
    "docs/architecture.md, " + TYPE,
    "docs/decisions.md, " + TEST,
    "CONTRIBUTING.md, " + TEST,
    "lab/liquid-lab/docs/reproduction.md, " + TEST
  })
  void everyTypeThatAPageNamesIsThere(String page, String pattern) {
    Set<String> types =
        SourceTree.javaFiles().stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(toSet());

    assertThat(named(page, pattern)).isNotEmpty().isSubsetOf(types);
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/architecture.md", "CONTRIBUTING.md"})
  void everyFileThatAPageNamesIsThere(String page) {
    assertThat(named(page, FILE))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(SourceTree.ROOT.resolve(file)).exists());
  }

  @Test
  void everyPageThatCodeNamesIsThere() {
    assertThat(SourceTree.mainFiles().stream().flatMap(file -> named(file, PAGE)).distinct())
        .isNotEmpty()
        .allSatisfy(page -> assertThat(SourceTree.ROOT.resolve(page)).exists());
  }

  private static Stream<String> named(String page, String pattern) {
    return named(SourceTree.ROOT.resolve(page), pattern);
  }

  private static Stream<String> named(Path file, String pattern) {
    return Pattern.compile(pattern)
        .matcher(SourceTree.read(file))
        .results()
        .map(match -> match.group(1));
  }
}
