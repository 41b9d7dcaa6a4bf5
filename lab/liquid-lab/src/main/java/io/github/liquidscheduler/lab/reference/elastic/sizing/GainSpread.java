package io.github.liquidscheduler.lab.reference.elastic.sizing;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Hands out free GPUs step by step, each to the candidate with the largest gain. With concave
 * curves and steps of one GPU this maximises the sum of the gains. Costs a logarithm of the number
 * of candidates for each step.
 */
public final class GainSpread {

  private static final Comparator<Bid> LARGEST_FIRST =
      Comparator.comparingDouble(Bid::gain).reversed().thenComparingInt(Bid::index);

  private GainSpread() {}

  /** What a candidate gains by its next step. */
  private record Bid(int index, double gain) {}

  /**
   * Adds the free GPUs to {@code sizes} until none is left or no candidate gains enough. A
   * candidate whose step does not fit gets nothing more; of equal gains the earlier candidate's
   * counts.
   *
   * @param candidates the jobs that may grow
   * @param sizes their sizes so far, in the same order
   * @param free the GPUs to hand out
   * @param leastGain a gain must be more than this
   * @return the GPUs left
   */
  public static int spread(
      List<? extends GrowthCandidate> candidates, int[] sizes, int free, double leastGain) {
    PriorityQueue<Bid> bids = new PriorityQueue<>(LARGEST_FIRST);
    for (int i = 0; i < sizes.length; i++) {
      offer(bids, candidates.get(i), i, sizes[i]);
    }
    int left = free;
    for (Bid bid = bids.poll();
        left > 0 && bid != null && bid.gain() > leastGain;
        bid = bids.poll()) {
      GrowthCandidate candidate = candidates.get(bid.index());
      int size = sizes[bid.index()];
      int next = candidate.next(size);
      if (next - size <= left) {
        left -= next - size;
        sizes[bid.index()] = next;
        offer(bids, candidate, bid.index(), next);
      }
    }
    return left;
  }

  private static void offer(
      PriorityQueue<Bid> bids, GrowthCandidate candidate, int index, int size) {
    if (candidate.next(size) > size) {
      bids.add(new Bid(index, candidate.gain(size)));
    }
  }
}
