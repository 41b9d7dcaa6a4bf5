package io.github.liquidscheduler.training.resource;

import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.collect.TreeMultiset;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.regression.FeatureSchema;
import java.util.List;
import java.util.stream.Stream;

/** Chooses the categories that get a column: all families, and what more than one sample has. */
public final class Vocabulary {
  private static final int MOST_FAMILIES = 200;
  private static final int MOST_OTHERS = 120;

  private Vocabulary() {}

  /** Returns the schema of the features that samples have. */
  public static FeatureSchema of(List<ResourceSample> samples) {
    Multiset<String> counts = TreeMultiset.create();
    samples.forEach(sample -> counts.addAll(FeatureSchema.namesOf(sample.task())));
    Multiset<String> names = Multisets.copyHighestCountFirst(counts);
    Stream<String> families = commonest(names, true, MOST_FAMILIES);
    Stream<String> others = commonest(names, false, MOST_OTHERS);
    return FeatureSchema.with(Stream.concat(families, others).sorted().toList());
  }

  private static Stream<String> commonest(Multiset<String> names, boolean families, int most) {
    return names.entrySet().stream()
        .filter(name -> name.getElement().startsWith(FeatureSchema.FAMILY) == families)
        .filter(name -> families || name.getCount() > 1)
        .limit(most)
        .map(Multiset.Entry::getElement);
  }
}
