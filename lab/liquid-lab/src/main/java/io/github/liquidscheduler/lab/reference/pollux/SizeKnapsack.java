package io.github.liquidscheduler.lab.reference.pollux;

/**
 * Gives each of several jobs one of some sizes, or 0, so that together they fit and the sum of
 * values is largest: a multiple-choice knapsack, solved exactly by dynamic programming in jobs x
 * GPUs x sizes steps.
 */
final class SizeKnapsack {

  private final int[] sizes;
  private final int gpus;

  /**
   * Makes a solver.
   *
   * @param sizes ascending, at least 1 each
   */
  SizeKnapsack(int[] sizes, int gpus) {
    this.sizes = sizes;
    this.gpus = gpus;
  }

  /**
   * Returns the size of each job. Of equal sums, the one with fewer GPUs for later jobs.
   *
   * @param values the value of each size for each job; what is not above 0 is not taken
   */
  int[] best(double[][] values) {
    byte[][] taken = new byte[values.length][];
    double[] sums = new double[gpus + 1];
    for (int job = 0; job < values.length; job++) {
      taken[job] = new byte[gpus + 1];
      sums = extend(sums, values[job], taken[job]);
    }
    return trace(taken);
  }

  /** Returns the best sums with one more job, by GPUs; notes its size, counted from 1. */
  private double[] extend(double[] sums, double[] values, byte[] taken) {
    double[] next = sums.clone();
    for (int i = 0; i < sizes.length; i++) {
      if (values[i] > 0) {
        for (int free = sizes[i]; free <= gpus; free++) {
          double sum = sums[free - sizes[i]] + values[i];
          if (sum > next[free]) {
            next[free] = sum;
            taken[free] = (byte) (i + 1);
          }
        }
      }
    }
    return next;
  }

  private int[] trace(byte[][] taken) {
    int[] chosen = new int[taken.length];
    int free = gpus;
    for (int job = taken.length - 1; job >= 0; job--) {
      int choice = taken[job][free];
      chosen[job] = choice == 0 ? 0 : sizes[choice - 1];
      free -= chosen[job];
    }
    return chosen;
  }
}
