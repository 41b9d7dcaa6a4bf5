package io.github.liquidscheduler.planner.problem;

/** Tasks with an intensity: a pair costs the product. One sum for each node says it all. */
final class ProductInterference implements InterferenceScore {

  private final long[] intensityOfKind;
  private final long[] sum;

  ProductInterference(long[] intensityOfKind, int nodes) {
    this(intensityOfKind, new long[nodes]);
  }

  private ProductInterference(long[] intensityOfKind, long[] sum) {
    this.intensityOfKind = intensityOfKind;
    this.sum = sum;
  }

  @Override
  public long pair(int oneKind, int otherKind) {
    return intensityOfKind[oneKind] * intensityOfKind[otherKind];
  }

  @Override
  public long rate(int kind, int node) {
    return intensityOfKind[kind] * sum[node];
  }

  @Override
  public void add(int kind, int node, int tasks) {
    sum[node] += intensityOfKind[kind] * tasks;
  }

  @Override
  public InterferenceScore copy() {
    return new ProductInterference(intensityOfKind, sum.clone());
  }

  @Override
  public long[] intensities() {
    return intensityOfKind.clone();
  }

  @Override
  public long[] residents() {
    return sum.clone();
  }
}
