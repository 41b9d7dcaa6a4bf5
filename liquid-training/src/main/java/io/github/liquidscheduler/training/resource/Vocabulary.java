package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.regression.FeatureSchema;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Chooses the categories that get a column: all families, and what more than one sample has. */
final class Vocabulary {
  private static final int MOST_FAMILIES = 200;
  private static final int MOST_OTHERS = 120;

  private Vocabulary() {}

  static FeatureSchema of(List<ResourceSample> samples) {
    Map<String, Integer> counts = new TreeMap<>();
    for (ResourceSample sample : samples) {
      FeatureSchema.namesOf(sample.task()).forEach(name -> counts.merge(name, 1, Integer::sum));
    }
    Stream<String> families = commonest(counts, true, MOST_FAMILIES);
    Stream<String> others = commonest(counts, false, MOST_OTHERS);
    return FeatureSchema.with(Stream.concat(families, others).sorted().toList());
  }

  private static Stream<String> commonest(Map<String, Integer> counts, boolean families, int most) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(FeatureSchema.FAMILY) == families)
        .filter(entry -> families || entry.getValue() > 1)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(most)
        .map(Map.Entry::getKey);
  }
}
