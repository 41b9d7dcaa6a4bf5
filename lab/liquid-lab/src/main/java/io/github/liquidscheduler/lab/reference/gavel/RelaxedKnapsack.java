package io.github.liquidscheduler.lab.reference.gavel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which jobs run on which GPU models, for more GPUs than {@link GangKnapsack} solves: by linear
 * relaxation, in which at most as many jobs as GPU models are split. These, and who fits into the
 * rest, follow by worth per GPU.
 */
final class RelaxedKnapsack {

  private static final double WHOLE = 1 - 1e-6;

  private RelaxedKnapsack() {}

  /**
   * Returns who runs where.
   *
   * @param worth what each job is worth on each GPU model, 0 where it cannot run
   * @param gpus the number of GPUs of each model
   */
  static List<SelectedRun> best(List<Combination> jobs, double[][] worth, int[] gpus) {
    ShareProgram program = new ShareProgram(jobs, gpus);
    for (int job = 0; job < jobs.size(); job++) {
      for (int model = 0; model < gpus.length; model++) {
        program.value(job, model, worth[job][model]);
      }
    }
    double[][] shares = program.solve();
    List<Offer> offers = new ArrayList<>();
    for (int job = 0; job < jobs.size(); job++) {
      for (int model = 0; model < gpus.length; model++) {
        if (worth[job][model] > 0) {
          double perGpu = worth[job][model] / jobs.get(job).gpus();
          offers.add(new Offer(job, model, shares[job][model] >= WHOLE, perGpu));
        }
      }
    }
    offers.sort(Offer.BEST_FIRST);
    return fill(offers, jobs, gpus);
  }

  private static List<SelectedRun> fill(List<Offer> offers, List<Combination> jobs, int[] gpus) {
    int[] free = gpus.clone();
    boolean[] runs = new boolean[jobs.size()];
    List<SelectedRun> selected = new ArrayList<>();
    for (Offer offer : offers) {
      Combination job = jobs.get(offer.job);
      if (!runs[offer.job] && job.gpus() <= free[offer.model]) {
        runs[offer.job] = true;
        free[offer.model] -= job.gpus();
        selected.add(new SelectedRun(job, offer.model));
      }
    }
    return selected;
  }

  /** A job on a GPU model, and whether the relaxation has it there for all the time. */
  private record Offer(int job, int model, boolean isWhole, double perGpu) {

    static final Comparator<Offer> BEST_FIRST =
        Comparator.comparing(Offer::isWhole)
            .thenComparingDouble(Offer::perGpu)
            .reversed()
            .thenComparingInt(Offer::job)
            .thenComparingInt(Offer::model);
  }
}
