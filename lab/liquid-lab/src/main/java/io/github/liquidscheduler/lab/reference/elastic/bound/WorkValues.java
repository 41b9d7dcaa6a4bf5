package io.github.liquidscheduler.lab.reference.elastic.bound;

/**
 * What jobs with one curve gain at given prices: at each of many values of a unit of work, and in
 * each cell of time, the most that a second brings, {@code max over p of value x S(p) - price x p}.
 * Mutable.
 */
final class WorkValues {

  /** The number of values that are tried. */
  static final int LEVELS = 60;

  private final ConcaveHull hull;
  private final TimeCells cells;
  private final double[] values = new double[LEVELS];

  /** The best corner of the hull, by level and cell. */
  private final int[][] corner;

  /** The gain of a second, by level and cell. */
  private final double[][] gain;

  /** The gain until the start of a cell, by level and cell. */
  private final double[][] gained;

  WorkValues(ConcaveHull hull, TimeCells cells) {
    this.hull = hull;
    this.cells = cells;
    this.corner = new int[LEVELS][cells.count()];
    this.gain = new double[LEVELS][cells.count()];
    this.gained = new double[LEVELS][cells.count() + 1];
  }

  /** Computes everything for prices by cell, of which {@code highest} is the highest. */
  void update(double[] prices, double highest) {
    double lowestValue = 1 / hull.fastest();
    double range = (1 + highest) / lowestValue;
    for (int level = 0; level < LEVELS; level++) {
      values[level] = lowestValue * Math.pow(range, level / (LEVELS - 1.0));
    }
    for (int cell = 0; cell < prices.length; cell++) {
      update(cell, prices[cell]);
    }
  }

  /**
   * Returns a lower bound on what a job pays that ends within a cell, by duality: every level gives
   * one.
   *
   * @param work the work, in seconds on one GPU
   * @param first the cell with whose start the job arrives
   * @param last the cell in which it ends
   */
  double cost(int level, double work, int first, int last) {
    double sooner = Math.min(0, (1 - gain[level][last]) * cells.seconds(last));
    return cells.start(last)
        - cells.start(first)
        + values[level] * work
        - (gained[level][last] - gained[level][first])
        + sooner;
  }

  /** Returns the level with the highest {@link #cost}, which is concave in the value. */
  int highestCost(double work, int first, int last) {
    int low = 0;
    int high = LEVELS - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (cost(middle, work, first, last) < cost(middle + 1, work, first, last)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Adds the GPU-seconds that a job uses, as much of the last cell as it needs. */
  void addUse(double[] use, int level, double work, int first, int last) {
    double left = work;
    for (int cell = first; cell <= last && left > 0; cell++) {
      int best = corner[level][cell];
      double done = hull.speedup(best) * cells.seconds(cell);
      double share = done > left ? left / done : 1;
      use[cell] += hull.gpus(best) * cells.seconds(cell) * share;
      left -= done;
    }
  }

  private void update(int cell, double price) {
    int best = 0;
    for (int level = 0; level < LEVELS; level++) {
      double gained = gain(best, level, price);
      while (best + 1 < hull.corners() && gain(best + 1, level, price) > gained) {
        best++;
        gained = gain(best, level, price);
      }
      corner[level][cell] = best;
      gain[level][cell] = gained;
      this.gained[level][cell + 1] = this.gained[level][cell] + gained * cells.seconds(cell);
    }
  }

  private double gain(int best, int level, double price) {
    return values[level] * hull.speedup(best) - price * hull.gpus(best);
  }
}
