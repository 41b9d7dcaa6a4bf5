package io.github.liquidscheduler.lab.reference.gavel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Gandiva (Xiao et al., OSDI 2018) as Gavel has it: if the jobs do not all fit, pairs of as many
 * GPUs are drawn at random and kept while both together retain at least the speed of one. All that
 * is left, alone or paired, gets an equal share of every GPU model.
 */
final class Gandiva implements SharePolicy {

  private final Random random;
  private final Set<Combination> pairs = new LinkedHashSet<>();

  Gandiva(long seed) {
    this.random = new Random(seed);
  }

  @Override
  public boolean pairsJobs() {
    return true;
  }

  @Override
  public double[][] shares(List<Combination> combinations, int[] gpus) {
    Set<Combination> known = new HashSet<>(combinations);
    pairs.removeIf(pair -> !known.contains(pair) || pair.retained() < 1);
    List<Combination> alone = combinations.stream().filter(each -> !each.isPair()).toList();
    int requested = alone.stream().mapToInt(Combination::gpus).sum();
    int available = 0;
    for (int ofModel : gpus) {
      available += ofModel;
    }
    return equal(combinations, requested <= available ? alone : paired(alone, combinations), gpus);
  }

  /** Draws as many times as there are jobs without a partner; two of other sizes stay alone. */
  private List<Combination> paired(List<Combination> alone, List<Combination> combinations) {
    List<Combination> single = new ArrayList<>(alone);
    for (Combination pair : pairs) {
      single.removeIf(each -> pair.jobs().contains(each.first()));
    }
    for (int draws = single.size(); draws > 0 && single.size() > 1; draws--) {
      Collections.shuffle(single, random);
      Combination first = single.get(0);
      Combination second = single.get(1);
      if (first.gpus() == second.gpus()) {
        pairs.add(pair(first.first(), second.first(), combinations));
        single.subList(0, 2).clear();
      }
    }
    single.addAll(pairs);
    return single;
  }

  private static Combination pair(GavelJob first, GavelJob second, List<Combination> combinations) {
    return combinations.stream()
        .filter(each -> each.isPair() && each.jobs().containsAll(List.of(first, second)))
        .findFirst()
        .orElseThrow();
  }

  private static double[][] equal(List<Combination> all, List<Combination> chosen, int[] gpus) {
    Set<Combination> sharing = new HashSet<>(chosen);
    double[][] shares = new double[all.size()][gpus.length];
    for (int i = 0; i < shares.length; i++) {
      if (sharing.contains(all.get(i))) {
        double sum = 0;
        for (int model = 0; model < gpus.length; model++) {
          shares[i][model] = (double) gpus[model] / chosen.size() / all.get(i).gpus();
          sum += shares[i][model];
        }
        for (int model = 0; model < gpus.length; model++) {
          shares[i][model] /= Math.max(1, sum);
        }
      }
    }
    return shares;
  }
}
