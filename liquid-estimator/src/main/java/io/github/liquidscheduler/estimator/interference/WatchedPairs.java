package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.LocalPair;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pairs that were watched on one GPU model, the latest last, and what each was off the models'
 * answer by. Immutable but for what follows from it, which is worked out when it is first asked
 * for; so it must be asked by one thread at a time.
 */
final class WatchedPairs {
  static final String LEARNED_STATE = "residual";

  static final WatchedPairs NONE = new WatchedPairs(new LinkedHashMap<>(), new ClassLikeness());

  private static final int MOST = 1024;

  /** The number of watched pairs from which on a class counts as known here. */
  private static final int FAMILIAR = 8;

  private static final double SLOWEST_RATE = 0.2;

  /**
   * What a pair was off by: the mean at first, then one that forgets, so that it follows changes of
   * software.
   *
   * @param mean the mean error
   * @param count how many errors were seen
   * @param error the 90 % error that the models promise for it
   */
  record Watched(double mean, int count, double error) {
    Watched plus(double off, double promised) {
      int more = count + 1;
      double rate = Math.max(SLOWEST_RATE, 1.0 / more);
      return new Watched(mean + rate * (off - mean), more, promised);
    }
  }

  private final Map<LocalPair, Watched> pairs;
  private final ClassLikeness likeness;
  private @Nullable Map<WorkloadClass, Integer> counts;
  private @Nullable LocalEffects effects;

  private WatchedPairs(Map<LocalPair, Watched> pairs, ClassLikeness likeness) {
    this.pairs = pairs;
    this.likeness = likeness;
  }

  boolean isEmpty() {
    return pairs.isEmpty();
  }

  /** Returns true if the pair itself was watched. */
  boolean has(LocalPair pair) {
    return pairs.containsKey(pair);
  }

  /** Returns the number of times that the pair itself was watched. */
  int times(LocalPair pair) {
    Watched watched = pairs.get(pair);
    return watched == null ? 0 : watched.count();
  }

  /** Returns in how many pairs, of either role, a class was watched. */
  int pairsWith(WorkloadClass workload) {
    Map<WorkloadClass, Integer> known = counts;
    if (known == null) {
      known = new LinkedHashMap<>();
      for (LocalPair pair : pairs.keySet()) {
        known.merge(pair.victim(), 1, Integer::sum);
        known.merge(pair.other(), 1, Integer::sum);
      }
      counts = known;
    }
    return known.getOrDefault(workload, 0);
  }

  /** Returns true if a class was watched often enough to be known here. */
  boolean knows(WorkloadClass workload) {
    return pairsWith(workload) >= FAMILIAR;
  }

  /**
   * Returns these pairs after one more observation.
   *
   * @param off by how much the pair retained more than the models had answered
   * @param error the 90 % error that they promise for it
   */
  WatchedPairs plus(LocalPair pair, double off, double error) {
    Map<LocalPair, Watched> more = new LinkedHashMap<>(pairs);
    Watched before = more.remove(pair);
    Watched known = before == null ? new Watched(0, 0, error) : before;
    more.put(pair, known.plus(off, error));
    if (more.size() > MOST) {
      more.remove(more.keySet().iterator().next());
    }
    // Those of nothing watched are no memory: everybody has them.
    return new WatchedPairs(more, isEmpty() ? new ClassLikeness() : likeness.bounded());
  }

  /** Returns the known effect of a pair, in units of the error that the models promise for it. */
  LocalEffects.Effect effect(LocalPair pair) {
    LocalEffects known = effects;
    if (known == null) {
      known = learned();
      effects = known;
    }
    LocalEffects.Effect effect = known.of(pair);
    Watched itself = pairs.get(pair);
    return itself == null || known.includes(pair) ? effect : effect.with(itself);
  }

  private LocalEffects learned() {
    List<LocalPair> names = List.copyOf(pairs.keySet());
    List<Watched> watched = List.copyOf(pairs.values());
    int first = Math.max(0, names.size() - LocalEffects.MOST);
    return new LocalEffects(
        names.subList(first, names.size()), watched.subList(first, watched.size()), likeness);
  }

  /** Returns each pair, in order. */
  List<LearnedState> save(GpuModel gpu) {
    List<LearnedState> values = new ArrayList<>();
    pairs.forEach(
        (pair, watched) ->
            values.add(
                new LearnedState(
                    LEARNED_STATE,
                    List.of(pair.victim().toString(), pair.other().toString(), gpu.name()),
                    List.of(watched.mean(), (double) watched.count(), watched.error()))));
    return values;
  }

  /**
   * Returns the pairs that were saved.
   *
   * @throws IllegalArgumentException if one is malformed
   */
  static WatchedPairs restored(List<LearnedState> saved) {
    Map<LocalPair, Watched> pairs = new LinkedHashMap<>();
    for (LearnedState value : saved) {
      List<Double> numbers = value.requires(3, 3).numbers();
      if (!(numbers.get(2) > 0)) {
        throw new IllegalArgumentException(
            "the error of a watched pair must be positive, but was %s, for %s"
                .formatted(numbers.get(2), value.names()));
      }
      LocalPair pair = new LocalPair(workload(value, 0), workload(value, 1));
      pairs.put(pair, new Watched(numbers.get(0), value.count(1), numbers.get(2)));
    }
    return new WatchedPairs(pairs, new ClassLikeness());
  }

  private static WorkloadClass workload(LearnedState saved, int name) {
    return WorkloadClass.parse(saved.names().get(name));
  }
}
