package io.github.liquidscheduler.simulator.reference.gavel;

import java.util.ArrayList;
import java.util.List;

/**
 * Our own: of all ways to give the jobs GPUs, the one whose jobs are worth the most. A job is worth
 * its speed relative to the GPU model on which it is fastest. So a fast GPU goes to those that lose
 * most without it, and not to those that would merely be fastest there.
 *
 * <p>If remaining work is known, that is divided by the square root of the time it would take on
 * the fastest GPU model. (Divided by that time itself, as Smith's rule has it for one machine,
 * short jobs take GPUs from those that lose more without them.) If it is not, a job is worth a
 * tenth more for each hour that it has done, so that equal jobs finish one after the other.
 *
 * <p>Who runs is decided anew when jobs came or went.
 */
final class ComparativeAdvantage implements GavelRounds {

  private static final double PER_HOUR_DONE = 0.1;
  private static final double HOUR = 3600;

  private final boolean knowsRemaining;
  private final int[] gpus;
  private final List<Combination> present = new ArrayList<>();
  private List<SelectedRun> selected = List.of();
  private boolean isChanged;

  /**
   * Makes it.
   *
   * @param knowsRemaining whether it knows how many steps each job has left
   */
  ComparativeAdvantage(boolean knowsRemaining, int[] gpus) {
    this.knowsRemaining = knowsRemaining;
    this.gpus = gpus;
  }

  @Override
  public void arrived(GavelJob job) {
    present.add(Combination.of(job));
    isChanged = true;
  }

  @Override
  public void left(GavelJob job) {
    present.removeIf(combination -> combination.first().equals(job));
    isChanged = true;
  }

  @Override
  public void received(Combination combination, int model, double seconds) {
    // Only how far a job is counts, and that it knows itself.
  }

  @Override
  public void stuck() {
    isChanged = true;
  }

  @Override
  public List<SelectedRun> next(double now) {
    if (isChanged) {
      double[][] worth = present.stream().map(this::worth).toArray(double[][]::new);
      selected = GangKnapsack.best(present, worth, gpus);
      isChanged = false;
    }
    return selected;
  }

  private double[] worth(Combination combination) {
    GavelJob job = combination.first();
    double fastest = job.fastest();
    double weight =
        knowsRemaining
            ? 1 / Math.sqrt(job.remaining() / fastest)
            : 1 + PER_HOUR_DONE * job.done() / fastest / HOUR;
    double[] worth = job.speeds();
    for (int model = 0; model < worth.length; model++) {
      worth[model] *= weight / fastest;
    }
    return worth;
  }
}
