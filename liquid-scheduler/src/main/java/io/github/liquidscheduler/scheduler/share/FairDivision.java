package io.github.liquidscheduler.scheduler.share;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Divides an amount of a resource among sibling queues: guaranteed amounts first, then the rest by
 * weight, priority by priority, in whole units; units left by rounding go to the largest
 * remainders. A queue that wants less than its share leaves the rest to the others.
 * (KAI-Scheduler's rule, with its time-based fair share.)
 *
 * <p>O(n<sup>2</sup>) for n queues in the worst case, since each round satisfies at least one; a
 * few rounds in practice.
 */
public final class FairDivision {

  private final double total;
  private final List<Claim> claims;
  private final double sensitivity;
  private final double[] share;
  private final double[] remainder;
  private double left;

  private FairDivision(double total, List<Claim> claims, double sensitivity) {
    this.total = total;
    this.claims = claims;
    this.sensitivity = sensitivity;
    share = new double[claims.size()];
    remainder = new double[claims.size()];
  }

  /**
   * Returns the share of each queue, in the order of {@code claims}. Among equals the earlier queue
   * gets rounding units first.
   *
   * @param total the amount, finite, at least 0
   * @param sensitivity the influence of past usage, at least 0; 0 for none
   */
  public static double[] divide(double total, List<Claim> claims, double sensitivity) {
    FairDivision division = new FairDivision(total, claims, sensitivity);
    division.giveGuaranteed();
    List<List<Integer>> byPriority = division.byPriority();
    byPriority.forEach(division::divideLeft);
    byPriority.forEach(division::giveRemainders);
    return division.share;
  }

  private void giveGuaranteed() {
    left = total;
    for (int queue = 0; queue < share.length; queue++) {
      Claim claim = claims.get(queue);
      boolean isAll = claim.guaranteed() == Double.POSITIVE_INFINITY;
      share[queue] = Math.min(isAll ? total : claim.guaranteed(), claim.wanted());
      left -= share[queue];
    }
  }

  private List<List<Integer>> byPriority() {
    List<Integer> priorities =
        claims.stream().map(Claim::priority).distinct().sorted(Comparator.reverseOrder()).toList();
    List<List<Integer>> groups = new ArrayList<>();
    for (int priority : priorities) {
      groups.add(
          IntStream.range(0, share.length)
              .filter(queue -> claims.get(queue).priority() == priority)
              .boxed()
              .toList());
    }
    return groups;
  }

  /** Divides the rest among queues of one priority, until each wants at least its offer. */
  private void divideLeft(List<Integer> queues) {
    boolean again = true;
    while (again && left > 0) {
      again = divideOnce(unsatisfied(queues));
    }
  }

  private List<Integer> unsatisfied(List<Integer> queues) {
    return queues.stream()
        .filter(queue -> claims.get(queue).weight() > 0)
        .filter(queue -> claims.get(queue).wanted() > share[queue])
        .toList();
  }

  /** Returns true if a queue wanted less than its offer. */
  private boolean divideOnce(List<Integer> queues) {
    double[] weights = weights(queues);
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    if (sum <= 0) {
      return false;
    }
    double available = left;
    boolean someWantLess = false;
    for (int i = 0; i < weights.length; i++) {
      int queue = queues.get(i);
      double missing = claims.get(queue).wanted() - share[queue];
      double offer = available * weights[i] / sum;
      double given = missing <= offer ? missing : Math.floor(offer);
      someWantLess |= missing < offer;
      remainder[queue] = missing <= offer ? 0 : offer - given;
      share[queue] += given;
      left -= given;
    }
    return someWantLess;
  }

  /** Returns the weights of the queues, reduced for recent usage. */
  private double[] weights(List<Integer> queues) {
    double sum = 0;
    for (int queue : queues) {
      sum += claims.get(queue).weight();
    }
    double[] weights = new double[queues.size()];
    for (int i = 0; i < weights.length; i++) {
      Claim claim = claims.get(queues.get(i));
      double normal = claim.weight() / sum;
      weights[i] = Math.max(0, normal + sensitivity * (normal - claim.usage()));
    }
    return weights;
  }

  /** Gives rounding units, one each, to the largest remainders first. */
  private void giveRemainders(List<Integer> queues) {
    List<Integer> largestFirst = new ArrayList<>(unsatisfied(queues));
    largestFirst.removeIf(queue -> remainder[queue] == 0);
    largestFirst.sort(Collections.reverseOrder(Comparator.comparingDouble(q -> remainder[q])));
    for (int queue : largestFirst) {
      double missing = claims.get(queue).wanted() - share[queue];
      double given = Math.min(Math.min(1, left), missing);
      if (given > 0) {
        share[queue] += given;
        left -= given;
      }
    }
  }
}
