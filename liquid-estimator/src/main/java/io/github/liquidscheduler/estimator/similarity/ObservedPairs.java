package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The pairs that were observed. Immutable: one more observation copies the pairs of its victim
 * class and the list of classes, and shares the rest.
 */
final class ObservedPairs {

  static final ObservedPairs NONE = new ObservedPairs(new LinkedHashMap<>(), 0);

  private final Map<WorkloadClass, Map<PairCell, ObservedMean>> byVictim;
  private final int size;

  private ObservedPairs(Map<WorkloadClass, Map<PairCell, ObservedMean>> byVictim, int size) {
    this.byVictim = byVictim;
    this.size = size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns how many pairs were observed. */
  int size() {
    return size;
  }

  @Nullable ObservedMean get(PairCell pair) {
    Map<PairCell, ObservedMean> known = byVictim.get(pair.victim());
    return known == null ? null : known.get(pair);
  }

  /** Returns the mean of a pair after one more value. */
  ObservedMean after(PairCell pair, double value) {
    ObservedMean before = get(pair);
    return (before == null ? new ObservedMean(size, 0, 0) : before).plus(value);
  }

  /** Returns these pairs with another mean of one of them, or with one more pair. */
  ObservedPairs with(PairCell pair, ObservedMean mean) {
    Map<WorkloadClass, Map<PairCell, ObservedMean>> all = new LinkedHashMap<>(byVictim);
    Map<PairCell, ObservedMean> own =
        new LinkedHashMap<>(byVictim.getOrDefault(pair.victim(), Map.of()));
    boolean isNew = own.put(pair, mean) == null;
    all.put(pair.victim(), own);
    return new ObservedPairs(all, isNew ? size + 1 : size);
  }

  /** Shows each pair, in the order in which they were first observed. */
  void forEach(BiConsumer<PairCell, ObservedMean> action) {
    List<Map.Entry<PairCell, ObservedMean>> inOrder = new ArrayList<>(size);
    byVictim.values().forEach(own -> inOrder.addAll(own.entrySet()));
    inOrder.sort(Comparator.comparingInt(entry -> entry.getValue().order()));
    inOrder.forEach(entry -> action.accept(entry.getKey(), entry.getValue()));
  }
}
