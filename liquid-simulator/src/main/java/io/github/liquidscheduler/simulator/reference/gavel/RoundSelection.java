package io.github.liquidscheduler.simulator.reference.gavel;

import java.util.ArrayList;
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
   * @param jobs the jobs, in the order of their arrival
   * @param received the seconds that all jobs received, by GPU model
   */
  List<Selected> select(List<GavelJob> jobs, double[] received) {
    List<Selected> selected = new ArrayList<>();
    Set<GavelJob> taken = new HashSet<>();
    for (int model = 0; model < gpus.length; model++) {
      int free = gpus[model];
      for (Candidate candidate : candidates(jobs, model, received[model])) {
        GavelJob job = candidate.job();
        if (job.gpus() <= free && isAllowed(candidate) && taken.add(job)) {
          free -= job.gpus();
          if (job.account(model).isKnown()) {
            selected.add(new Selected(job, model));
          }
        }
      }
    }
    return selected;
  }

  private boolean isAllowed(Candidate candidate) {
    return !onlyShares || candidate.priority() > 0;
  }

  private static List<Candidate> candidates(List<GavelJob> jobs, int model, double received) {
    return jobs.stream()
        .filter(job -> job.speed(model) > 0)
        .map(job -> Candidate.of(job, model, received))
        .sorted(HIGHEST_FIRST)
        .toList();
  }

  /** A job that runs, and the GPU model. */
  record Selected(GavelJob job, int model) {}

  private record Candidate(GavelJob job, double priority, double deficit, double share) {

    static Candidate of(GavelJob job, int model, double received) {
      ShareAccount account = job.account(model);
      double priority = account.isKnown() ? account.priority(received) : 0;
      return new Candidate(job, priority, account.deficit(), account.share());
    }
  }
}
