package io.github.liquidscheduler.planner.problem;

import java.util.Arrays;

/** Tasks whose pairs are priced by a table of kinds. Each node lists the kinds it holds. */
final class PairwiseInterference implements InterferenceScore {

  private final long[][] price;
  private final int[][] kinds;
  private final int[][] tasks;
  private final int[] size;

  /**
   * Makes nodes without tasks.
   *
   * @param price the price of a pair by kinds, symmetric, at least 0
   */
  PairwiseInterference(long[][] price, int nodes) {
    this(price, new int[nodes][], new int[nodes][], new int[nodes]);
    Arrays.setAll(kinds, node -> new int[4]);
    Arrays.setAll(tasks, node -> new int[4]);
  }

  private PairwiseInterference(long[][] price, int[][] kinds, int[][] tasks, int[] size) {
    this.price = price;
    this.kinds = kinds;
    this.tasks = tasks;
    this.size = size;
  }

  @Override
  public long pair(int oneKind, int otherKind) {
    return price[oneKind][otherKind];
  }

  @Override
  public long rate(int kind, int node) {
    long[] row = price[kind];
    int[] here = kinds[node];
    int[] many = tasks[node];
    long sum = 0;
    for (int i = 0; i < size[node]; i++) {
      sum += row[here[i]] * many[i];
    }
    return sum;
  }

  @Override
  public void add(int kind, int node, int count) {
    int at = 0;
    while (at < size[node] && kinds[node][at] != kind) {
      at++;
    }
    if (at == size[node]) {
      open(kind, node);
    }
    tasks[node][at] += count;
    if (tasks[node][at] == 0) {
      size[node]--;
      kinds[node][at] = kinds[node][size[node]];
      tasks[node][at] = tasks[node][size[node]];
    }
  }

  @Override
  public InterferenceScore copy() {
    int[][] kindsCopy = new int[kinds.length][];
    int[][] tasksCopy = new int[kinds.length][];
    Arrays.setAll(kindsCopy, node -> kinds[node].clone());
    Arrays.setAll(tasksCopy, node -> tasks[node].clone());
    return new PairwiseInterference(price, kindsCopy, tasksCopy, size.clone());
  }

  @Override
  public long[] intensities() {
    long[] intensity = new long[price.length];
    for (int kind = 0; kind < price.length; kind++) {
      intensity[kind] = (long) Math.sqrt((double) price[kind][kind]);
    }
    for (int one = 0; one < price.length; one++) {
      for (int other = 0; other < price.length; other++) {
        shrink(intensity, one, other);
      }
    }
    return intensity;
  }

  @Override
  public long[] residents() {
    long[] intensity = intensities();
    long[] sums = new long[size.length];
    for (int node = 0; node < sums.length; node++) {
      for (int i = 0; i < size[node]; i++) {
        sums[node] += intensity[kinds[node][i]] * tasks[node][i];
      }
    }
    return sums;
  }

  /** Lowers the larger intensity of a pair until their product is at most the price. */
  private void shrink(long[] intensity, int one, int other) {
    long limit = price[one][other];
    if (intensity[one] > 0 && intensity[other] > limit / intensity[one]) {
      int larger = intensity[one] > intensity[other] ? one : other;
      int smaller = larger == one ? other : one;
      intensity[larger] = limit / Math.max(1, intensity[smaller]);
      if (larger == smaller) {
        intensity[larger] = (long) Math.sqrt((double) limit);
      }
    }
  }

  private void open(int kind, int node) {
    if (size[node] == kinds[node].length) {
      kinds[node] = Arrays.copyOf(kinds[node], 2 * size[node]);
      tasks[node] = Arrays.copyOf(tasks[node], 2 * size[node]);
    }
    kinds[node][size[node]] = kind;
    tasks[node][size[node]] = 0;
    size[node]++;
  }
}
