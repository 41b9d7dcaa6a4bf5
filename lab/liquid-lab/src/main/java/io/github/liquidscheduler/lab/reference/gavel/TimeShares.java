package io.github.liquidscheduler.lab.reference.gavel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gavel's way: a policy divides the time of the GPUs, and each round runs those that lag behind
 * their shares the most. Shares are computed anew when jobs came or went, but only some time after
 * the last time.
 */
final class TimeShares implements GavelRounds {

  private static final double BETWEEN_ALLOCATIONS = 1920;

  private final SharePolicy policy;
  private final int[] gpus;
  private final PairThroughputs pairs;
  private final RoundSelection selection;
  private final List<Combination> present = new ArrayList<>();
  private final double[] received;
  private boolean isChanged;
  private double lastAllocation;

  TimeShares(SharePolicy policy, int[] gpus, PairThroughputs pairs) {
    this.policy = policy;
    this.gpus = gpus;
    this.pairs = pairs;
    this.selection = new RoundSelection(gpus, policy.runsOnlyShares());
    this.received = new double[gpus.length];
  }

  @Override
  public void arrived(GavelJob job) {
    List<Combination> before = policy.pairsJobs() ? List.copyOf(present) : List.of();
    present.add(Combination.of(job));
    for (Combination other : before) {
      if (!other.isPair() && other.gpus() == job.gpus()) {
        present.add(pairs.pair(other.first(), job));
      }
    }
    isChanged = true;
  }

  @Override
  public void left(GavelJob job) {
    present.removeIf(combination -> combination.jobs().contains(job));
    isChanged = true;
  }

  @Override
  public void received(Combination combination, int model, double seconds) {
    combination.account(model).receive(seconds);
    received[model] += seconds;
  }

  @Override
  public void stuck() {
    lastAllocation = 0;
  }

  @Override
  public List<SelectedRun> next(double now) {
    boolean isDue = now - lastAllocation >= BETWEEN_ALLOCATIONS || lastAllocation == 0;
    if (isChanged && isDue && !present.isEmpty()) {
      allocate(now);
    }
    return selection.select(present, received);
  }

  private void allocate(double now) {
    for (int model = 0; model < gpus.length; model++) {
      for (Combination combination : present) {
        combination.account(model).reset(now - lastAllocation);
      }
    }
    Arrays.fill(received, ShareAccount.HALF_ROUND * present.size());
    double[][] shares = policy.shares(present, gpus);
    for (int model = 0; model < gpus.length; model++) {
      for (int i = 0; i < shares.length; i++) {
        present.get(i).account(model).allocate(shares[i][model]);
      }
    }
    lastAllocation = now;
    isChanged = false;
  }
}
