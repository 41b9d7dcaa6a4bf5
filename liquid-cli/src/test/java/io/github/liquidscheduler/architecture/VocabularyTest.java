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
    List<Path> docs = docs();

    assertThat(docs).hasSizeGreaterThan(2);
    assertThat(docs.stream().flatMap(VocabularyTest::formerWords)).isEmpty();
  }

  @Test
  void codeThatShipsHasNoIdioms() {
    List<Path> files =
        SourceTree.mainFiles().stream()
            .filter(file -> !file.startsWith(SourceTree.ROOT.resolve("lab")))
            .toList();

    assertThat(files).hasSizeGreaterThan(1000);
    assertThat(files.stream().flatMap(VocabularyTest::idioms)).isEmpty();
  }

  @Test
  void docsHaveNoIdioms() {
    assertThat(docs().stream().flatMap(VocabularyTest::idioms)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "whom it helps",
        "as\n   * long as",
        "startsAnew",
        "heldRoom",
        "RoomLeft",
        "MOST_ROOM"
      })
  void theRuleSeesIdioms(String text) {
    assertThat(Idioms.in(text)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a chatroom", "a broom", "field(\"room\")"})
  void theRuleSparesOtherWordsAndKeys(String text) {
    assertThat(Idioms.in(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"the company it keeps", "newcomerBeside", "nearestMiss", "an Overtaking"})
  void theRuleSees(String text) {
    assertThat(FormerWords.areIn(text)).isTrue();
  }

  private static List<Path> docs() {
    return Stream.concat(
            SourceTree.list(SourceTree.ROOT.resolve("docs")).stream(),
            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md").map(SourceTree.ROOT::resolve))
        .filter(file -> file.toString().endsWith(".md"))
        .toList();
  }

  private static Stream<String> idioms(Path file) {
    String name = SourceTree.ROOT.relativize(file).toString();
    String text = SourceTree.read(file);
    // The page of changes has to say what things were called.
    String read = name.equals("docs/migration.md") ? text.replaceAll("`[^`]*`", "") : text;
    return Idioms.in(read).stream().map(found -> name + ": " + found);
  }

  private static Stream<String> formerWords(Path file) {
    String name = SourceTree.ROOT.relativize(file).toString();
    return SourceTree.read(file)
        .lines()
        .filter(FormerWords::areIn)
        .map(line -> name + ": " + line.strip());
  }
}
