package io.github.liquidscheduler.simulator.reference.gavel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which jobs run on which GPU models so that the sum of their worths is as large as can be: a
 * knapsack with as many dimensions as GPU models, in which each job has a choice.
 *
 * <p>Solved exactly, by dynamic programming over the numbers of GPUs that are used of each model,
 * if there are at most {@value #MOST_STATES} of them. Else by linear relaxation, in which at most
 * as many jobs as GPU models are split; these, and who fits into the rest, follow by worth per GPU.
 */
final class GangKnapsack {

  private static final int MOST_STATES = 20_000;
  private static final double WHOLE = 1 - 1e-6;

  private final List<Combination> jobs;
  private final double[][] worth;
  private final int[] gpus;

  private GangKnapsack(List<Combination> jobs, double[][] worth, int[] gpus) {
    this.jobs = jobs;
    this.worth = worth;
    this.gpus = gpus;
  }

  /**
   * Returns who runs where.
   *
   * @param worth what each job is worth on each GPU model, 0 where it cannot run
   * @param gpus the number of GPUs of each model
   */
  static List<SelectedRun> best(List<Combination> jobs, double[][] worth, int[] gpus) {
    GangKnapsack knapsack = new GangKnapsack(jobs, worth, gpus);
    long states = 1;
    for (int ofModel : gpus) {
      states = Math.min(states * (ofModel + 1), MOST_STATES + 1L);
    }
    return states > MOST_STATES ? knapsack.relaxed() : knapsack.exact((int) states);
  }

  /** A state is the number of GPUs used of each model, in the mixed radix of their numbers. */
  private List<SelectedRun> exact(int states) {
    double[] best = new double[states];
    byte[][] choices = new byte[jobs.size()][states];
    for (int job = 0; job < jobs.size(); job++) {
      for (int state = states - 1; state > 0; state--) {
        choose(job, state, best, choices[job]);
      }
    }
    List<SelectedRun> selected = new ArrayList<>();
    int state = states - 1;
    for (int job = jobs.size() - 1; job >= 0; job--) {
      int model = choices[job][state] - 1;
      if (model >= 0) {
        selected.add(new SelectedRun(jobs.get(job), model));
        state -= jobs.get(job).gpus() * stride(model);
      }
    }
    return selected.reversed();
  }

  private void choose(int job, int state, double[] best, byte[] choice) {
    int size = jobs.get(job).gpus();
    double most = best[state];
    int stride = 1;
    for (int model = 0; model < gpus.length; model++) {
      int room = state / stride % (gpus[model] + 1);
      if (room >= size && worth[job][model] > 0) {
        double with = best[state - size * stride] + worth[job][model];
        if (with > most) {
          most = with;
          choice[state] = (byte) (model + 1);
        }
      }
      stride *= gpus[model] + 1;
    }
    best[state] = most;
  }

  private int stride(int model) {
    int stride = 1;
    for (int before = 0; before < model; before++) {
      stride *= gpus[before] + 1;
    }
    return stride;
  }

  private List<SelectedRun> relaxed() {
    ShareProgram program = new ShareProgram(jobs, gpus);
    for (int job = 0; job < jobs.size(); job++) {
      for (int model = 0; model < gpus.length; model++) {
        program.value(job, model, worth[job][model]);
      }
    }
    return rounded(program.solve());
  }

  private List<SelectedRun> rounded(double[][] shares) {
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
    return fill(offers);
  }

  private List<SelectedRun> fill(List<Offer> offers) {
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
