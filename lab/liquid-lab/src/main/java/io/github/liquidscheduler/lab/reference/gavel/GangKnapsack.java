package io.github.liquidscheduler.lab.reference.gavel;

import java.util.ArrayList;
import java.util.List;

/**
 * Which runs the GPUs get so that the sum of their worths is as large as can be: a knapsack with as
 * many dimensions as GPU models, in which at most one offer of each item is taken. Solved exactly,
 * by dynamic programming over the numbers of GPUs that are used of each model.
 */
final class GangKnapsack {

  private static final int MOST_STATES = 20_000;

  private final List<List<Offer>> items;
  private final int[] gpus;
  private final int[] strides;
  private final double[] best;
  private final byte[][] choices;

  private GangKnapsack(List<List<Offer>> items, int[] gpus) {
    this.items = items;
    this.gpus = gpus;
    strides = new int[gpus.length];
    int states = 1;
    for (int model = 0; model < gpus.length; model++) {
      strides[model] = states;
      states *= gpus[model] + 1;
    }
    best = new double[states];
    choices = new byte[items.size()][states];
  }

  /** Returns whether there are few enough GPUs to solve it. */
  static boolean isSolvable(int[] gpus) {
    long states = 1;
    for (int ofModel : gpus) {
      states = Math.min(states * (ofModel + 1), MOST_STATES + 1L);
    }
    return states <= MOST_STATES;
  }

  /**
   * Returns the solution.
   *
   * @param items the offers of each, at most 100
   * @param gpus the number of GPUs of each model
   */
  static GangKnapsack solve(List<List<Offer>> items, int[] gpus) {
    GangKnapsack knapsack = new GangKnapsack(items, gpus);
    for (int item = 0; item < items.size(); item++) {
      knapsack.add(items.get(item), knapsack.choices[item]);
    }
    return knapsack;
  }

  /** Goes down, since an offer leads to a smaller state, which must be as without this item. */
  private void add(List<Offer> offers, byte[] choice) {
    for (int state = best.length - 1; state > 0; state--) {
      double most = best[state];
      for (int offer = 0; offer < offers.size(); offer++) {
        int rest = without(state, offers.get(offer));
        if (rest >= 0 && best[rest] + offers.get(offer).worth() > most) {
          most = best[rest] + offers.get(offer).worth();
          choice[state] = (byte) (offer + 1);
        }
      }
      best[state] = most;
    }
  }

  /** Returns the state with fewer GPUs, or -1 if there are not as many. */
  private int without(int state, Offer offer) {
    int rest = state;
    for (int model = 0; model < gpus.length; model++) {
      int need = offer.needs(model);
      if (need > 0) {
        if (need > state / strides[model] % (gpus[model] + 1)) {
          return -1;
        }
        rest -= need * strides[model];
      }
    }
    return rest;
  }

  /** Returns the sum of the worths. */
  double worth() {
    return best[best.length - 1];
  }

  /** Returns what one GPU of a model adds to the sum. */
  double price(int model) {
    return worth() - best[best.length - 1 - strides[model]];
  }

  /** Returns what runs, in the order of the items. */
  List<SelectedRun> runs() {
    List<SelectedRun> runs = new ArrayList<>();
    int state = best.length - 1;
    for (int item = items.size() - 1; item >= 0; item--) {
      int offer = choices[item][state] - 1;
      if (offer >= 0) {
        Offer taken = items.get(item).get(offer);
        runs.addAll(0, taken.runs());
        state = without(state, taken);
      }
    }
    return runs;
  }

  /** What an item may get. */
  static final class Offer {

    private final List<SelectedRun> runs;
    private final int[] needs;
    private final double worth;

    /**
     * Makes an offer.
     *
     * @param runs what runs then
     * @param worth how much that is worth
     * @param models the number of GPU models
     */
    Offer(List<SelectedRun> runs, double worth, int models) {
      this.runs = List.copyOf(runs);
      this.worth = worth;
      this.needs = new int[models];
      for (SelectedRun run : runs) {
        needs[run.model()] += run.combination().gpus();
      }
    }

    List<SelectedRun> runs() {
      return runs;
    }

    double worth() {
      return worth;
    }

    /** Returns the GPUs of a model. */
    int needs(int model) {
      return needs[model];
    }
  }
}
