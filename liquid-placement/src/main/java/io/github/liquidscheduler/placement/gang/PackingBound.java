package io.github.liquidscheduler.placement.gang;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Upper bounds of what the bins from each one on hold: the sum of each resource, and the tasks of
 * each role that they hold alone.
 */
final class PackingBound {

  /** Sums that differ by less may be equal but for rounding. */
  private static final double ROUNDING = 1 + 1e-9;

  private final PackingBins bins;
  private final int roles;
  private final double[] free;
  private final long[] fitting;

  /**
   * Adds up the bins.
   *
   * @param spreadDomain the spread domain of each bin
   * @param mostInDomain the largest number of tasks of a role in it
   */
  PackingBound(PackingBins bins, int[] spreadDomain, int mostInDomain) {
    this.bins = bins;
    roles = bins.tasks.length;
    free = new double[(bins.size() + 1) * PackingBins.RESOURCES];
    fitting = new long[(bins.size() + 1) * roles];
    long[] inDomain = new long[roles];
    for (int bin = bins.size() - 1; bin >= 0; bin--) {
      boolean endsDomain = bin == bins.size() - 1 || spreadDomain[bin] != spreadDomain[bin + 1];
      for (int role = 0; role < roles; role++) {
        long here = bins.fitting(bin, role);
        long before = endsDomain ? 0 : inDomain[role];
        inDomain[role] = Math.min(mostInDomain, before + here);
        fitting[bin * roles + role] = fitting[(bin + 1) * roles + role] + inDomain[role] - before;
      }
      for (int i = 0; i < PackingBins.RESOURCES; i++) {
        boolean counts = i < PackingBins.OF_NODE || bins.startsNode(bin);
        free[bin * PackingBins.RESOURCES + i] = free(bin + 1, i) + (counts ? bins.free(bin, i) : 0);
      }
    }
  }

  /** Returns the sum of a resource over the bins from one on, their nodes from the next on. */
  double free(int bin, int resource) {
    return free[bin * PackingBins.RESOURCES + resource];
  }

  /** Returns the number of tasks of a role that the bins from one on hold alone. */
  long fitting(int bin, int role) {
    return fitting[bin * roles + role];
  }

  /**
   * Returns true if tasks exceed the bins from one on, which is the first of its node.
   *
   * @param left the tasks by role, from an offset on
   */
  boolean isExceeded(int bin, int[] left, int offset) {
    for (int role = 0; role < roles; role++) {
      if (left[offset + role] > fitting(bin, role)) {
        return true;
      }
    }
    for (int i = 0; i < PackingBins.RESOURCES; i++) {
      if (requested(left, offset, i) > free(bin, i) * ROUNDING) {
        return true;
      }
    }
    return false;
  }

  /** Returns the sum of a resource that tasks request. */
  double requested(int[] left, int offset, int resource) {
    double sum = 0;
    for (int role = 0; role < roles; role++) {
      sum += (double) left[offset + role] * bins.requests[role * PackingBins.RESOURCES + resource];
    }
    return sum;
  }

  /**
   * Returns true if the largest tasks by some resource, counted as the smallest of them, exceed the
   * bins: two roles of more than half a node each thus need a node for each task.
   */
  boolean isExceededByLargest() {
    for (int i = 0; i < PackingBins.RESOURCES; i++) {
      int resource = i;
      Integer[] order = new Integer[roles];
      Arrays.setAll(order, role -> role);
      Arrays.sort(order, Comparator.comparingLong(role -> -request(role, resource)));
      if (isExceededByLargest(order)) {
        return true;
      }
    }
    return false;
  }

  private boolean isExceededByLargest(Integer[] order) {
    long[] least = new long[PackingBins.RESOURCES];
    Arrays.fill(least, Long.MAX_VALUE);
    long count = 0;
    for (int last = 0; last < roles; last++) {
      for (int i = 0; i < PackingBins.RESOURCES; i++) {
        least[i] = Math.min(least[i], request(order[last], i));
      }
      count += bins.tasks[order[last]].role().count();
      if (last > 0 && count > fitting(least, count)) {
        return true;
      }
    }
    return false;
  }

  private long request(int role, int resource) {
    return bins.requests[role * PackingBins.RESOURCES + resource];
  }

  /** Returns the number of tasks of a request that all bins hold, or more than {@code enough}. */
  private long fitting(long[] request, long enough) {
    long sum = 0;
    for (int bin = 0; bin < bins.size() && sum < enough; bin++) {
      long here = enough;
      for (int i = 0; i < PackingBins.RESOURCES; i++) {
        here = request[i] == 0 ? here : Math.min(here, bins.free(bin, i) / request[i]);
      }
      sum += here;
    }
    return sum;
  }
}
