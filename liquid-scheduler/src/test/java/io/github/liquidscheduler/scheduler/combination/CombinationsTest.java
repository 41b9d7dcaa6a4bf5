package io.github.liquidscheduler.scheduler.combination;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.scheduler.combination.Outcome.Composes;
import io.github.liquidscheduler.scheduler.combination.Outcome.Missing;
import io.github.liquidscheduler.scheduler.combination.Outcome.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Features of different slots work together, two by two. */
class CombinationsTest {

  /** The number of pairs that the scheduler refuses: lower it as they are accepted. */
  private static final int MOST_REFUSED = 1;

  /** The number of pairs without a scenario: lower it as scenarios are found. */
  private static final int MOST_MISSING = 0;

  private static final Path PAGE = Path.of("..", "docs", "combinations.md");
  private static final Path WRITTEN = Path.of("target", "combinations.md");
  private static final List<FeatureWorld> WORLDS = Worlds.all();
  private static final Map<Pair, Outcome> OUTCOMES = new LinkedHashMap<>();

  @BeforeAll
  static void tryEveryPair() {
    List<Stage> stages = Stages.all();
    Pair.all(WORLDS).forEach(pair -> OUTCOMES.put(pair, pair.on(stages)));
  }

  @TestFactory
  Stream<DynamicTest> noPairThatComposesOnThePageCeasesTo() throws IOException {
    Set<String> composing = CombinationsPage.composing(Files.readString(PAGE));
    assertThat(composing).isNotEmpty();
    return OUTCOMES.entrySet().stream()
        .filter(entry -> composing.contains(entry.getKey().name()))
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey().name(),
                    () -> assertThat(entry.getValue()).isInstanceOf(Composes.class)));
  }

  @TestFactory
  Stream<DynamicTest> aRestartBeforeEveryEventChangesNoDecisionOfAPair() {
    return OUTCOMES.entrySet().stream()
        .filter(entry -> entry.getValue() instanceof Composes)
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey().name(),
                    () -> restart(entry.getKey(), (Composes) entry.getValue())));
  }

  private static void restart(Pair pair, Composes composes) {
    Scenario scenario = pair.scenario(composes.stage());
    List<Told> plain = Embedder.play(scenario, scenario.all(), event -> false);
    List<Told> restarted = Embedder.play(scenario, scenario.all(), event -> true);

    assertThat(restarted).isEqualTo(plain).contains(composes.shown());
  }

  @Test
  void noMorePairsAreRefused() {
    assertThat(OUTCOMES.values().stream().filter(Refused.class::isInstance))
        .hasSizeLessThanOrEqualTo(MOST_REFUSED);
  }

  @Test
  void noMorePairsAreWithoutAScenario() {
    assertThat(OUTCOMES.values().stream().filter(Missing.class::isInstance))
        .hasSizeLessThanOrEqualTo(MOST_MISSING);
  }

  @Test
  void thePageShowsTheMatrix() throws IOException {
    String text = new CombinationsPage(WORLDS, OUTCOMES).text();
    Files.createDirectories(WRITTEN.getParent());
    Files.writeString(WRITTEN, text);

    assertThat(Files.readString(PAGE))
        .as("docs/combinations.md; if the change is meant, copy %s over it", WRITTEN)
        .isEqualTo(text);
  }
}
