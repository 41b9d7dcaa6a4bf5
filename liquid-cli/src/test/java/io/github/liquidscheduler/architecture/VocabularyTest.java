package io.github.liquidscheduler.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code and docs speak the field's words: a reader should learn one domain, not two. */
class VocabularyTest {

  /** Words that once stood for a standard term; Fenzo has its own shortfalls. */
  private static final Pattern FORMER =
      Pattern.compile(
          "\\bcompan(y|ies)\\b|newcomer|\\bseat(s|ed|ing)\\b|\\blessons?\\b|\\b(im)?patient\\b"
              + "|overtak|damage|(?<!disable)shortfall|near(est)?.?miss|fifo-skip|ruined"
              + "|occupant|crowd|outranked|best liked|contender|complaint|parting|strangers"
              + "|over-ask|under-ask|JobWithdrawn|JobRevised|SlowsDown|PaysOff|notNow|NOT_NOW",
          Pattern.CASE_INSENSITIVE);

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
    assertThat(FORMER.matcher(text).find()).isTrue();
  }

  private static Stream<String> formerWords(Path file) {
    String name = SourceTree.ROOT.relativize(file).toString();
    return SourceTree.read(file)
        .lines()
        .filter(line -> FORMER.matcher(line).find())
        .map(line -> name + ": " + line.strip());
  }
}
