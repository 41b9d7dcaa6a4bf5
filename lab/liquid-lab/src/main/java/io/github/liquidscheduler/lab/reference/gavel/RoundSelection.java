package io.github.liquidscheduler.lab.reference.gavel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who runs in a round: on each GPU model in turn the jobs of the highest priority, then of the
 * largest deficit, then of the largest share, while they fit. What is left over goes to jobs
 * without a share, except under a policy that forbids it.
 */
final class RoundSelection {

  private static final Comparator<Candidate> HIGHEST_FIRST =
      Comparator.comparingDouble(Candidate::priority)
          .thenComparingDouble(Candidate::deficit)
          .thenComparingDouble(Candidate::share)
          .reversed();

  private final int[] gpus;
  private final boolean onlyShares;

  RoundSelection(int[] gpus, boolean onlyShares) {
    this.gpus = gpus;
    this.onlyShares = onlyShares;
  }

  /**
   * Returns what runs.
   *
   * @param combinations the jobs, in the order of their arrival
   * @param received the seconds that all received, by GPU model
   */
  List<SelectedRun> select(List<Combination> combinations, double[] received) {
    List<SelectedRun> selected = new ArrayList<>();
    Set<GavelJob> taken = new HashSet<>();
    for (int model = 0; model < gpus.length; model++) {
      int free = gpus[model];
      for (Candidate candidate : candidates(combinations, model, received[model])) {
        Combination combination = candidate.combination();
        if (combination.gpus() <= free
            && isAllowed(candidate)
            && Collections.disjoint(taken, combination.jobs())) {
          taken.addAll(combination.jobs());
          free -= combination.gpus();
          if (combination.account(model).isKnown()) {
            selected.add(new SelectedRun(combination, model));
          }
        }
      }
    }
    return selected;
  }

  private boolean isAllowed(Candidate candidate) {
    return !onlyShares || candidate.priority() > 0;
  }

  private static List<Candidate> candidates(
      List<Combination> combinations, int model, double received) {
    return combinations.stream()
        .filter(combination -> combination.runsOn(model))
        .map(combination -> Candidate.of(combination, model, received))
        .sorted(HIGHEST_FIRST)
        .toList();
  }

  private record Candidate(Combination combination, double priority, double deficit, double share) {

    static Candidate of(Combination combination, int model, double received) {
      ShareAccount account = combination.account(model);
      double priority = account.isKnown() ? account.priority(received) : 0;
      return new Candidate(combination, priority, account.deficit(), account.share());
    }
  }
}
