package io.github.liquidscheduler.training.resource;

import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.collect.TreeMultiset;
import com.google.common.primitives.Ints;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The examples that are held out together, one fold after the other. */
final class ResourceFolds {
  private final int[] foldOf;
  private final int count;

  private ResourceFolds(int[] foldOf, int count) {
    this.foldOf = foldOf;
    this.count = count;
  }

  /** Deals examples to folds at random. */
  static ResourceFolds ofRows(int examples, int folds, long seed) {
    int[] order = shuffled(examples, seed);
    int[] foldOf = new int[examples];
    int count = Math.min(folds, examples);
    for (int i = 0; i < examples; i++) {
      foldOf[order[i]] = i % count;
    }
    return new ResourceFolds(foldOf, count);
  }

  /** Deals whole groups to folds, the largest first, each to the fold that is smallest so far. */
  static ResourceFolds ofGroups(List<String> groupOf, int folds) {
    Multiset<String> groups = Multisets.copyHighestCountFirst(TreeMultiset.create(groupOf));
    int count = Math.min(folds, groups.elementSet().size());
    int[] load = new int[count];
    Map<String, Integer> foldOfGroup = new LinkedHashMap<>();
    for (Multiset.Entry<String> group : groups.entrySet()) {
      int least =
          IntStream.range(0, count)
              .boxed()
              .min(Comparator.comparing(fold -> load[fold]))
              .orElseThrow();
      foldOfGroup.put(group.getElement(), least);
      load[least] += group.getCount();
    }
    return new ResourceFolds(groupOf.stream().mapToInt(foldOfGroup::get).toArray(), count);
  }

  static int[] shuffled(int count, long seed) {
    int[] order = IntStream.range(0, count).toArray();
    Collections.shuffle(Ints.asList(order), new SplittableRandom(seed));
    return order;
  }

  int count() {
    return count;
  }

  int[] heldOut(int fold) {
    return IntStream.range(0, foldOf.length).filter(i -> foldOf[i] == fold).toArray();
  }

  int[] others(int fold) {
    return IntStream.range(0, foldOf.length).filter(i -> foldOf[i] != fold).toArray();
  }
}
