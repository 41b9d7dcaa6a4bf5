package io.github.liquidscheduler.training.resource;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Which examples are held out together, one fold after the other. */
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
    Map<String, Integer> sizes = new LinkedHashMap<>();
    groupOf.forEach(group -> sizes.merge(group, 1, Integer::sum));
    List<String> groups = new ArrayList<>(sizes.keySet());
    groups.sort(
        Comparator.comparing((String group) -> -sizes.getOrDefault(group, 0))
            .thenComparing(g -> g));
    int count = Math.min(folds, groups.size());
    int[] load = new int[count];
    Map<String, Integer> foldOfGroup = new LinkedHashMap<>();
    for (String group : groups) {
      int least =
          IntStream.range(0, count)
              .boxed()
              .min(Comparator.comparing(fold -> load[fold]))
              .orElseThrow();
      foldOfGroup.put(group, least);
      load[least] += sizes.getOrDefault(group, 0);
    }
    return new ResourceFolds(groupOf.stream().mapToInt(foldOfGroup::get).toArray(), count);
  }

  static int[] shuffled(int count, long seed) {
    int[] order = IntStream.range(0, count).toArray();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
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
