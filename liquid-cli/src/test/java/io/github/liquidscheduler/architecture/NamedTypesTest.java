package io.github.liquidscheduler.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types that pages for contributors name are there. */
class NamedTypesTest {
  private static final String TYPE = "`(?:\\w+/)?([A-Z][a-z]\\w+)";
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
    String text = SourceTree.read(SourceTree.ROOT.resolve(page));

    assertThat(Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1)))
        .isNotEmpty()
        .isSubsetOf(types);
  }
}
