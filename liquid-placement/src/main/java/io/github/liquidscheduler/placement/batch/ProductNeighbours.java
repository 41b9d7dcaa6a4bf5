package io.github.liquidscheduler.placement.batch;

/** Tasks with an intensity: a pair costs the product. One sum for each node says it all. */
final class ProductNeighbours implements Neighbours {

  private final long[] intensityOfKind;
  private final long[] sum;

  ProductNeighbours(long[] intensityOfKind, int nodes) {
    this(intensityOfKind, new long[nodes]);
  }

  private ProductNeighbours(long[] intensityOfKind, long[] sum) {
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
  public Neighbours copy() {
    return new ProductNeighbours(intensityOfKind, sum.clone());
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
