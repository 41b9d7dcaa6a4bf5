package io.github.liquidscheduler.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code and docs speak the field's words: a reader should learn one domain, not two. */
class VocabularyTest {

  @Test
  void codeThatShipsSpeaksTheFieldsWords() {
    assertThat(SourceTree.mainFiles().stream().flatMap(VocabularyTest::formerWords)).isEmpty();
  }

  @Test
  void docsSpeakTheFieldsWords() {
    List<Path> docs =
        Stream.concat(
                SourceTree.list(SourceTree.ROOT.resolve("docs")).stream(),
                Stream.of("README.md", "CONTRIBUTING.md").map(SourceTree.ROOT::resolve))
            .filter(file -> file.toString().endsWith(".md"))
            .toList();

    assertThat(docs).hasSizeGreaterThan(2);
    assertThat(docs.stream().flatMap(VocabularyTest::formerWords)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"the company it keeps", "newcomerBeside", "nearestMiss", "an Overtaking"})
  void theRuleSees(String text) {
    assertThat(FormerWords.areIn(text)).isTrue();
  }

  private static Stream<String> formerWords(Path file) {
    String name = SourceTree.ROOT.relativize(file).toString();
    return SourceTree.read(file)
        .lines()
        .filter(FormerWords::areIn)
        .map(line -> name + ": " + line.strip());
  }
}
