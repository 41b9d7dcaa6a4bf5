package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Ways to hide measurements, so that nothing of what is tested was learned from. */
public enum PairHoldOut {
  /** A pair of classes is hidden on all GPU models and in both directions; five folds. */
  PAIR {
    @Override
    public List<Fold> of(List<Measurement> all, List<Measurement> also, long seed) {
      Map<String, Integer> folds = new LinkedHashMap<>();
      for (String pair : new TreeSet<>(all.stream().map(PairHoldOut::pair).toList())) {
        folds.put(pair, 0);
      }
      List<String> order = new ArrayList<>(folds.keySet());
      Collections.shuffle(order, new Random(seed));
      for (int i = 0; i < order.size(); i++) {
        folds.put(order.get(i), i % PAIR_FOLDS);
      }
      List<Fold> result = new ArrayList<>();
      for (int fold = 0; fold < PAIR_FOLDS; fold++) {
        int number = fold;
        result.add(
            hiding(
                "pairs " + (fold + 1),
                all,
                also,
                each -> folds.getOrDefault(pair(each), -1) == number));
      }
      return result;
    }
  },
  /** A model family is hidden, whichever side it is on. */
  FAMILY {
    @Override
    public List<Fold> of(List<Measurement> all, List<Measurement> also, long seed) {
      TreeSet<String> families = new TreeSet<>();
      for (Measurement each : all) {
        families.add(each.victimClass().family());
        families.add(each.coRunnerClass().family());
      }
      return families.stream()
          .map(
              family ->
                  hiding(
                      "family " + family,
                      all,
                      kinless(also, family),
                      each ->
                          each.victimClass().family().equals(family)
                              || each.coRunnerClass().family().equals(family)))
          .toList();
    }
  },
  /** A GPU model is hidden. */
  GPU {
    @Override
    public List<Fold> of(List<Measurement> all, List<Measurement> also, long seed) {
      TreeSet<String> gpus = new TreeSet<>(all.stream().map(each -> each.gpu().name()).toList());
      return gpus.stream()
          .map(gpu -> hiding("GPU " + gpu, all, also, each -> each.gpu().name().equals(gpu)))
          .toList();
    }
  };

  private static final int PAIR_FOLDS = 5;

  /** One way to hide: what may be learned from, what beside it, and what must be predicted. */
  public record Fold(
      String name, List<Measurement> train, List<Measurement> also, List<Measurement> test) {
    /** Returns all that may be learned from. */
    public List<Measurement> learned() {
      return Stream.concat(train.stream(), also.stream()).toList();
    }
  }

  /** Returns the folds of measurements; {@code also} is only trained on. */
  public abstract List<Fold> of(List<Measurement> all, List<Measurement> also, long seed);

  private static Fold hiding(
      String name, List<Measurement> all, List<Measurement> also, Predicate<Measurement> hidden) {
    List<Measurement> train = new ArrayList<>();
    List<Measurement> test = new ArrayList<>();
    for (Measurement each : all) {
      if (each.isMeasured()) {
        (hidden.test(each) ? test : train).add(each);
      }
    }
    return new Fold(
        name,
        train,
        also.stream().filter(Measurement::isMeasured).filter(hidden.negate()).toList(),
        test);
  }

  /** Returns the measurements without those of a family and of variants, named alike at first. */
  private static List<Measurement> kinless(List<Measurement> measurements, String family) {
    return measurements.stream()
        .filter(each -> !each.victimClass().family().startsWith(family))
        .filter(each -> !each.coRunnerClass().family().startsWith(family))
        .toList();
  }

  /** Returns the name of the unordered pair of workload classes. */
  public static String pair(Measurement each) {
    WorkloadClass one = each.victimClass();
    WorkloadClass other = each.coRunnerClass();
    String left = one.toString();
    String right = other.toString();
    return left.compareTo(right) < 0 ? left + "|" + right : right + "|" + left;
  }
}
