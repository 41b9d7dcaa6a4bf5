package io.github.liquidscheduler.scheduler.order;

import java.util.Comparator;

/**
 * The order in which victims are taken: right, then harm, then size. First by right, and among jobs
 * that give way for their rank the lowest rank; within one right the least harm; at equal harm
 * shrink, move, stop; then the least taken beyond the need; then the latest start; then the latest
 * submission, so that no two are equal. Where a policy gives equal ranks, age does not make a large
 * gang go before a small job.
 */
public final class VictimOrder implements Comparator<VictimOption> {

  /** The order. */
  public static final VictimOrder BY_RIGHT_AND_HARM = new VictimOrder();

  private static final Comparator<VictimOption> ORDER =
      Comparator.comparing(VictimOption::right)
          .thenComparing(VictimOrder::rankThatCounts, Comparator.reverseOrder())
          .thenComparing(VictimOption::harm)
          .thenComparing(VictimOption::action)
          .thenComparingLong(VictimOption::beyondNeed)
          .thenComparing(VictimOption::startedAt, Comparator.reverseOrder())
          .thenComparing(VictimOption::sequence, Comparator.reverseOrder());

  private VictimOrder() {}

  @Override
  public int compare(VictimOption one, VictimOption other) {
    return ORDER.compare(one, other);
  }

  private static long rankThatCounts(VictimOption victim) {
    return victim.right() == TakingRight.LOWER_RANK ? victim.rank() : 0;
  }
}
