package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pairs that were observed. Immutable: one more observation copies the pairs of its victim
 * class and the list of classes, and shares the rest.
 */
final class ObservedPairs {

  private static final String LEARNED_STATE = "similarity";

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

  /** Returns each pair, in the order in which they were first observed. */
  List<LearnedState> save() {
    return byVictim.values().stream()
        .flatMap(own -> own.entrySet().stream())
        .sorted(Comparator.comparingInt(entry -> entry.getValue().order()))
        .map(entry -> learnedState(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static LearnedState learnedState(PairCell cell, ObservedMean seen) {
    List<String> names =
        List.of(cell.victim().toString(), cell.aggressor().toString(), cell.gpu().name());
    return new LearnedState(LEARNED_STATE, names, List.of(seen.mean(), (double) seen.count()));
  }

  /** Returns the pair that was saved. */
  static PairCell cell(LearnedState saved) {
    if (!saved.kind().equals(LEARNED_STATE)) {
      throw new IllegalArgumentException(
          "a similarity model's learned state must be of kind '%s', but one was '%s'"
              .formatted(LEARNED_STATE, saved.kind()));
    }
    List<String> names = saved.requires(3, 2).names();
    return new PairCell(
        WorkloadClass.parse(names.get(0)),
        WorkloadClass.parse(names.get(1)),
        GpuModel.of(names.get(2)));
  }

  /** Returns the mean that was saved, to be the next after these. */
  ObservedMean restored(LearnedState saved) {
    double mean = saved.numbers().get(0);
    if (!(mean > 0 && mean <= InterferencePredictor.MAX_RETAINED_SPEED)) {
      throw new IllegalArgumentException(
          "a retained speed must be in (0, 1.05], but was %s, for %s"
              .formatted(mean, saved.names()));
    }
    return new ObservedMean(size, mean, saved.count(1));
  }
}
