package io.github.liquidscheduler.planner.problem;

/**
 * Interference of tasks with an intensity: a pair costs the product. One sum for each node
 * suffices.
 */
final class ProductInterference implements InterferenceScore {

  private final long[] intensityOfClass;
  private final long[] sum;

  ProductInterference(long[] intensityOfClass, int nodes) {
    this(intensityOfClass, new long[nodes]);
  }

  private ProductInterference(long[] intensityOfClass, long[] sum) {
    this.intensityOfClass = intensityOfClass;
    this.sum = sum;
  }

  @Override
  public long pairCost(int oneClass, int otherClass) {
    return intensityOfClass[oneClass] * intensityOfClass[otherClass];
  }

  @Override
  public long marginalCost(int jobClass, int node) {
    return intensityOfClass[jobClass] * sum[node];
  }

  @Override
  public void add(int jobClass, int node, int tasks) {
    sum[node] += intensityOfClass[jobClass] * tasks;
  }

  @Override
  public InterferenceScore copy() {
    return new ProductInterference(intensityOfClass, sum.clone());
  }

  @Override
  public long[] intensities() {
    return intensityOfClass.clone();
  }

  @Override
  public long[] residents() {
    return sum.clone();
  }
}
