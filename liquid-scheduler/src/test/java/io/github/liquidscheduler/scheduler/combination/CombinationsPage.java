package io.github.liquidscheduler.scheduler.combination;

import static java.util.stream.Collectors.joining;

import io.github.liquidscheduler.scheduler.combination.Outcome.Composes;
import io.github.liquidscheduler.scheduler.combination.Outcome.Missing;
import io.github.liquidscheduler.scheduler.combination.Outcome.Refused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The page that shows the matrix to users. */
final class CombinationsPage {

  private static final String OPENING =
      """
      # Combinations of features

      Which features work together, as tried by the tests: each pair runs on small clusters three times, with both features, without the first and without the second.
      It *composes* if a decision comes out with both only, and the same after a restart before every event.
      This page is written by `CombinationsTest`.

      ✓ composes · ✗ refused, [with a reason](#refused-pairs) · ? accepted, but [no scenario shows both yet](#pairs-without-a-scenario) · blank: alternatives

      """;

  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+ × [^|]+) \\| `");

  private final List<FeatureWorld> worlds;
  private final Map<Pair, Outcome> outcomes;

  CombinationsPage(List<FeatureWorld> worlds, Map<Pair, Outcome> outcomes) {
    this.worlds = worlds;
    this.outcomes = outcomes;
  }

  /** Returns the names of the pairs that compose by a page. */
  static Set<String> composing(String page) {
    return ROW.matcher(page).results().map(row -> row.group(1)).collect(Collectors.toSet());
  }

  String text() {
    return OPENING + matrix() + refused() + missing() + meanings();
  }

  private String matrix() {
    StringBuilder text = new StringBuilder("|   | |");
    for (int column = 2; column <= worlds.size(); column++) {
      text.append(' ').append(column).append(" |");
    }
    text.append("\n|--:|---|").append(":-:|".repeat(worlds.size() - 1)).append('\n');
    for (int row = 0; row < worlds.size(); row++) {
      text.append("| %d | %s |".formatted(row + 1, worlds.get(row)));
      for (int column = 1; column < worlds.size(); column++) {
        text.append(' ').append(column > row ? mark(row, column) : "").append(" |");
      }
      text.append('\n');
    }
    return text + "\n";
  }

  private String mark(int row, int column) {
    return Optional.ofNullable(outcomes.get(new Pair(worlds.get(row), worlds.get(column))))
        .map(
            outcome ->
                switch (outcome) {
                  case Composes composes -> "✓";
                  case Refused refused -> "✗";
                  case Missing missing -> "?";
                })
        .orElse("");
  }

  private String refused() {
    Map<String, List<Pair>> reasons = new LinkedHashMap<>();
    outcomes.forEach(
        (pair, outcome) -> {
          if (outcome instanceof Refused refused) {
            String rule = refused.message().replaceFirst(", but .*", "");
            reasons.computeIfAbsent(rule, reason -> new ArrayList<>()).add(pair);
          }
        });
    return listed("Refused pairs", reasons);
  }

  private String missing() {
    Map<String, List<Pair>> reasons = new LinkedHashMap<>();
    outcomes.forEach(
        (pair, outcome) -> {
          if (outcome instanceof Missing missing) {
            reasons.computeIfAbsent(missing.why(), reason -> new ArrayList<>()).add(pair);
          }
        });
    return listed("Pairs without a scenario", reasons);
  }

  private static String listed(String heading, Map<String, List<Pair>> reasons) {
    String items =
        reasons.entrySet().stream()
            .map(reason -> "- %s: %s.\n".formatted(named(reason.getValue()), reason.getKey()))
            .collect(joining());
    return "## " + heading + "\n\n" + (items.isEmpty() ? "None.\n" : items) + "\n";
  }

  /** Returns the pairs of the same second feature together. */
  private static String named(List<Pair> pairs) {
    Map<FeatureWorld, List<String>> firsts = new LinkedHashMap<>();
    for (Pair pair : pairs) {
      firsts.computeIfAbsent(pair.second(), second -> new ArrayList<>()).add(pair.first().name());
    }
    return firsts.entrySet().stream()
        .map(entry -> String.join(", ", entry.getValue()) + " × " + entry.getKey())
        .collect(joining("; "));
  }

  private String meanings() {
    StringBuilder text =
        new StringBuilder("## What shows each pair\n\n| pair | decision | where | rule |\n");
    text.append("|---|---|---|---|\n");
    outcomes.forEach(
        (pair, outcome) -> {
          if (outcome instanceof Composes composes) {
            text.append(
                "| %s | `%s` | %s | %s |\n"
                    .formatted(
                        pair.name(),
                        composes.shown().timed(),
                        composes.stage().name(),
                        Meanings.of(pair).sentence()));
          }
        });
    return text.toString();
  }
}
