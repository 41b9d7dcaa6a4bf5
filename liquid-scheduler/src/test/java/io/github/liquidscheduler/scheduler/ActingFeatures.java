package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How often each feature acted while each other one was on. */
final class ActingFeatures {

  /** Of fewer events nothing is said: draws vary. */
  private static final int SOME = 25_000;

  private static final int MANY = 300_000;
  private static final int EVENTS_PER_ACT = 3_000;
  private static final Path WRITTEN = Path.of("target", "acting-features.md");

  private final Map<Feature, Map<Feature, Integer>> acted = new EnumMap<>(Feature.class);
  private int events;

  /** Counts an event. */
  void countEvent() {
    events++;
  }

  /** Counts that a feature acted while some are on, itself among them. */
  void count(Feature feature, Set<Feature> on) {
    on.forEach(
        other ->
            acted
                .computeIfAbsent(feature, any -> new EnumMap<>(Feature.class))
                .merge(other, 1, Integer::sum));
  }

  private int times(Feature feature, Feature other) {
    return acted.getOrDefault(feature, Map.of()).getOrDefault(other, 0);
  }

  /**
   * Checks that each feature acted beside each other that the scheduler does not refuse, 100 times
   * in 300,000 events. In fewer events chance counts: acts come in clusters, one world having many,
   * so that a third of what is expected is enough. Writes the numbers to a page in any case.
   */
  void requireEach() {
    write();
    if (events < SOME) {
      return;
    }
    int least = events / EVENTS_PER_ACT / (events < MANY ? 3 : 1);
    for (Feature feature : Feature.values()) {
      for (Feature other : Feature.values()) {
        int most = Feature.isRefused(feature, other) ? 0 : Integer.MAX_VALUE;
        assertThat(times(feature, other))
            .as("%s beside %s, in %d events: %s", feature, other, events, acted)
            .isBetween(Math.min(least, most), most);
      }
    }
  }

  private void write() {
    try {
      Files.createDirectories(WRITTEN.getParent());
      Files.writeString(WRITTEN, page());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String page() {
    String names = Stream.of(Feature.values()).map(Feature::name).collect(row());
    String line = names.replaceAll("[A-Z]+", "---");
    return Arrays.stream(Feature.values())
        .map(
            feature ->
                Stream.of(Feature.values())
                    .map(other -> Integer.toString(times(feature, other)))
                    .collect(row())
                    .replaceFirst("\\|", "| " + feature + " |"))
        .collect(
            Collectors.joining(
                "\n",
                "How often each feature acted beside each other, in %d events\n\n| %s\n| --- %s\n"
                    .formatted(events, names, line),
                "\n"));
  }

  private static Collector<CharSequence, ?, String> row() {
    return Collectors.joining(" | ", "| ", " |");
  }
}
