package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.placement.network.PlacementCost.JobCost;

/** Works the cost out from the beginning each time. Knows nothing of single links. */
final class RecountedCost implements IncrementalCost {

  private final JobCost cost;
  private final TaskCounts counts;

  RecountedCost(JobCost cost, TaskCounts counts) {
    this.cost = cost;
    this.counts = counts;
  }

  @Override
  public void add(int node, int role, int count) {
    counts.add(node, role, count);
  }

  @Override
  public void remove(int node, int role, int count) {
    counts.remove(node, role, count);
  }

  @Override
  public void clear() {
    counts.clear();
  }

  @Override
  public double cost() {
    return cost.of(counts);
  }

  @Override
  public double quiet() {
    return Double.NEGATIVE_INFINITY;
  }

  @Override
  public int links() {
    return counts.size();
  }

  @Override
  public void learn() {
    // All links are alike.
  }

  @Override
  public double transferSeconds(int link) {
    return 0;
  }

  @Override
  public double costAt(double transferSeconds) {
    return 0;
  }

  @Override
  public double contention(int link) {
    return 0;
  }

  @Override
  public int above(int link) {
    return -1;
  }
}
