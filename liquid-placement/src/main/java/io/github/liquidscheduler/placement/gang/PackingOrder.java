package io.github.liquidscheduler.placement.gang;

/**
 * The order in which tasks of roles go on a bin. Amounts are counted in mean bins, and weighted by
 * scarcity: the amount that the tasks left request, as a part of the amount left.
 */
enum PackingOrder {
  /** The task most similar to the rest of the bin. */
  DOT_PRODUCT,
  /** The task that takes most. */
  LARGEST,
  /** The task that takes most CPU. */
  MOST_CPU,
  /** The task that takes most host memory. */
  MOST_MEMORY;

  private static final int CPU = 2;
  private static final int MEMORY = 3;

  /** The weight of the resource that an order is named for. */
  private static final double FIRST = 1e6;

  /** Returns the role whose task goes next on the bin; -1 if none fits. */
  int next(PackingBins bins, PackingState state, int bin) {
    int best = -1;
    double highest = 0;
    for (int role = 0; role < bins.tasks.length; role++) {
      if (state.fitting(bin, role) > 0) {
        double score = score(bins, state, bin, role);
        if (best < 0 || score > highest) {
          best = role;
          highest = score;
        }
      }
    }
    return best;
  }

  private double score(PackingBins bins, PackingState state, int bin, int role) {
    double score = 0;
    for (int i = 0; i < PackingBins.RESOURCES; i++) {
      double mean = state.bound().free(0, i) / bins.size();
      double left = state.bound().free(bin, i);
      if (mean > 0 && left > 0) {
        double scarcity = state.requested(bin, i) / left;
        double size = bins.requests[role * PackingBins.RESOURCES + i] / mean;
        score += scarcity * size * factor(i, state.rest(bin, i) / mean);
      }
    }
    return score;
  }

  private double factor(int resource, double rest) {
    return switch (this) {
      case DOT_PRODUCT -> rest;
      case LARGEST -> 1;
      case MOST_CPU -> resource == CPU ? FIRST : 1;
      case MOST_MEMORY -> resource == MEMORY ? FIRST : 1;
    };
  }
}
