package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How often each feature acted while each other one was on. */
final class ActingFeatures {

  /** Of fewer events nothing is said: draws vary. */
  private static final int MANY = 200_000;

  private static final int EVENTS_PER_ACT = 15_000;
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
   * Checks, after very many events, that each feature acted beside each other that the scheduler
   * does not refuse, 20 times in 300,000 events. Moves to faster GPUs pay where no job waits, which
   * is seldom here; {@link HeterogeneityLaws} have them. Writes the numbers to a page in any case.
   */
  void requireEach() {
    write();
    if (events < MANY) {
      return;
    }
    for (Feature feature : EnumSet.complementOf(EnumSet.of(Feature.FASTER))) {
      for (Feature other : Feature.values()) {
        assertThat(times(feature, other) >= events / EVENTS_PER_ACT)
            .as("%s beside %s, in %d events: %s", feature, other, events, acted)
            .isEqualTo(!Feature.isRefused(feature, other));
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
