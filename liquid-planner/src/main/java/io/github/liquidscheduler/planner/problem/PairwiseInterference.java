package io.github.liquidscheduler.planner.problem;

import java.util.Arrays;

/** Interference by a table of pairs of classes. Each node lists the classes it holds. */
final class PairwiseInterference implements InterferenceScore {

  private final long[][] pairCosts;
  private final int[][] classes;
  private final int[][] tasks;
  private final int[] size;

  /**
   * Makes a score of nodes without tasks.
   *
   * @param pairCosts the cost of a pair by classes, symmetric, at least 0
   */
  PairwiseInterference(long[][] pairCosts, int nodes) {
    this(pairCosts, new int[nodes][], new int[nodes][], new int[nodes]);
    Arrays.setAll(classes, node -> new int[4]);
    Arrays.setAll(tasks, node -> new int[4]);
  }

  private PairwiseInterference(long[][] pairCosts, int[][] classes, int[][] tasks, int[] size) {
    this.pairCosts = pairCosts;
    this.classes = classes;
    this.tasks = tasks;
    this.size = size;
  }

  @Override
  public long pairCost(int oneClass, int otherClass) {
    return pairCosts[oneClass][otherClass];
  }

  @Override
  public long marginalCost(int jobClass, int node) {
    long[] row = pairCosts[jobClass];
    int[] here = classes[node];
    int[] many = tasks[node];
    long sum = 0;
    for (int i = 0; i < size[node]; i++) {
      sum += row[here[i]] * many[i];
    }
    return sum;
  }

  @Override
  public void add(int jobClass, int node, int count) {
    int at = 0;
    while (at < size[node] && classes[node][at] != jobClass) {
      at++;
    }
    if (at == size[node]) {
      open(jobClass, node);
    }
    tasks[node][at] += count;
    if (tasks[node][at] == 0) {
      size[node]--;
      classes[node][at] = classes[node][size[node]];
      tasks[node][at] = tasks[node][size[node]];
    }
  }

  @Override
  public InterferenceScore copy() {
    int[][] classesCopy = new int[classes.length][];
    int[][] tasksCopy = new int[classes.length][];
    Arrays.setAll(classesCopy, node -> classes[node].clone());
    Arrays.setAll(tasksCopy, node -> tasks[node].clone());
    return new PairwiseInterference(pairCosts, classesCopy, tasksCopy, size.clone());
  }

  @Override
  public long[] intensities() {
    long[] intensity = new long[pairCosts.length];
    for (int jobClass = 0; jobClass < pairCosts.length; jobClass++) {
      intensity[jobClass] = (long) Math.sqrt((double) pairCosts[jobClass][jobClass]);
    }
    for (int one = 0; one < pairCosts.length; one++) {
      for (int other = 0; other < pairCosts.length; other++) {
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
        sums[node] += intensity[classes[node][i]] * tasks[node][i];
      }
    }
    return sums;
  }

  /** Lowers the larger intensity of a pair until their product is at most the cost of the pair. */
  private void shrink(long[] intensity, int one, int other) {
    long limit = pairCosts[one][other];
    if (intensity[one] > 0 && intensity[other] > limit / intensity[one]) {
      int larger = intensity[one] > intensity[other] ? one : other;
      int smaller = larger == one ? other : one;
      intensity[larger] = limit / Math.max(1, intensity[smaller]);
      if (larger == smaller) {
        intensity[larger] = (long) Math.sqrt((double) limit);
      }
    }
  }

  private void open(int jobClass, int node) {
    if (size[node] == classes[node].length) {
      classes[node] = Arrays.copyOf(classes[node], 2 * size[node]);
      tasks[node] = Arrays.copyOf(tasks[node], 2 * size[node]);
    }
    classes[node][size[node]] = jobClass;
    tasks[node][size[node]] = 0;
    size[node]++;
  }
}
