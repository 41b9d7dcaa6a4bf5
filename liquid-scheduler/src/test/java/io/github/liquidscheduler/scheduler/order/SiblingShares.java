package io.github.liquidscheduler.scheduler.order;

/**
 * The keys by which siblings with computed shares are ordered.
 *
 * @param capacity the cluster's capacity
 */
record SiblingShares(Amounts capacity) {

  boolean isBeyondGuaranteed(SiblingOrder.Subtree subtree) {
    TurnQueue queue = subtree.queue();
    for (int resource = 0; resource < capacity.resources(); resource++) {
      long more = subtree.first().asks().get(resource);
      if (more > 0 && more > queue.guaranteed(resource) - queue.held(resource)) {
        return true;
      }
    }
    return false;
  }

  double partWithCandidate(SiblingOrder.Subtree subtree) {
    return part(subtree.queue(), subtree.first().asks());
  }

  double part(SiblingOrder.Subtree subtree) {
    return part(subtree.queue(), Amounts.none(capacity.resources()));
  }

  /**
   * Returns the largest usage as a fraction of the amount due, over all resources; infinite if a
   * resource is used of which nothing is due.
   */
  private double part(TurnQueue queue, Amounts more) {
    double largest = 0;
    for (int resource = 0; resource < capacity.resources(); resource++) {
      double has = (double) queue.held(resource) + more.get(resource);
      if (has > 0) {
        largest = Math.max(largest, has / due(queue, resource));
      }
    }
    return largest;
  }

  private double due(TurnQueue queue, int resource) {
    long due =
        Math.min(
            queue.limit(resource), Math.max(queue.guaranteed(resource), queue.share(resource)));
    return due == Long.MAX_VALUE ? capacity.get(resource) : due;
  }

  /** Returns the largest share as a fraction of the cluster's capacity, over all resources. */
  double largestShare(SiblingOrder.Subtree subtree) {
    double largest = 0;
    for (int resource = 0; resource < capacity.resources(); resource++) {
      long total = capacity.get(resource);
      double share = subtree.queue().share(resource);
      largest = Math.max(largest, total == 0 ? 0 : share / total);
    }
    return largest;
  }
}
