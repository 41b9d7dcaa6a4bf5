package io.github.liquidscheduler.simulator.reference.gavel;

import java.util.List;

/** What an item of a {@link GangKnapsack} may get. */
final class KnapsackOffer {

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
  KnapsackOffer(List<SelectedRun> runs, double worth, int models) {
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
