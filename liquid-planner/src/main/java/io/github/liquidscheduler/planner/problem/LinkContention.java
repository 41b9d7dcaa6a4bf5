package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.placement.network.LinkUsage;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planner.plan.PlanEvaluation;

/**
 * What gangs that send over the same links cost each other: for each link and each two on it, what
 * one delays the other for as long as it keeps the link busy. Two sums for each link say it all.
 * Amounts are whole numbers, so that adding and removing are exact inverses. Not thread-safe.
 *
 * <p>A gang that waits for several links counts the delay on each, and how long links are kept busy
 * does not grow with the delay. So this guides a search; what plans cost is told by {@link
 * PlanEvaluation}.
 */
public final class LinkContention {

  /** Busy all the time. */
  private static final int WHOLE = 1 << 10;

  private static final double MICROS = 1e6;
  private static final long UNITS_PER_MICRO = (long) (CostTerms.NANOS / MICROS);

  private final long[] busy;
  private final long[] delay;

  /** Twice for each two gangs, once as seen by each: in millionths of a second times whole. */
  private long sum;

  LinkContention(int links) {
    this(new long[links], new long[links], 0);
  }

  private LinkContention(long[] busy, long[] delay, long sum) {
    this.busy = busy;
    this.delay = delay;
    this.sum = sum;
  }

  LinkContention copy() {
    return new LinkContention(busy.clone(), delay.clone(), sum);
  }

  /** Returns what all cost each other, in units. */
  long cost() {
    return toUnits(sum);
  }

  /** Returns by how much one gang more would raise the cost, in units. */
  public long rise(Uses uses) {
    return toUnits(beside(uses));
  }

  /** Returns about what sending over a link would cost a gang that uses links like these. */
  public long hint(Uses like, int link) {
    int most = like.slowest();
    return most < 0 ? 0 : toUnits(like.delay[most] * busy[link] + like.busy[most] * delay[link]);
  }

  void add(Uses uses) {
    sum += beside(uses);
    for (int i = 0; i < uses.links.length; i++) {
      busy[uses.links[i]] += uses.busy[i];
      delay[uses.links[i]] += uses.delay[i];
    }
  }

  void remove(Uses uses) {
    for (int i = 0; i < uses.links.length; i++) {
      busy[uses.links[i]] -= uses.busy[i];
      delay[uses.links[i]] -= uses.delay[i];
    }
    sum -= beside(uses);
  }

  private long beside(Uses uses) {
    long more = 0;
    for (int i = 0; i < uses.links.length; i++) {
      int link = uses.links[i];
      more += uses.delay[i] * busy[link] + uses.busy[i] * delay[link];
    }
    return more;
  }

  private static long toUnits(long product) {
    return product / WHOLE * UNITS_PER_MICRO;
  }

  /** What one gang does to links, in whole numbers; never changed. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Uses(int[] links, int[] busy, long[] delay) {
    public static final Uses NONE = new Uses(new int[0], new int[0], new long[0]);

    static Uses of(LinkUsage use) {
      Uses uses = new Uses(new int[use.size()], new int[use.size()], new long[use.size()]);
      for (int i = 0; i < use.size(); i++) {
        uses.links[i] = use.link(i);
        uses.busy[i] = (int) Math.ceil(use.busy(i) * WHOLE);
        uses.delay[i] = (long) Math.ceil(use.delay(i) * MICROS);
      }
      return uses;
    }

    /** Returns the position of the link that is waited for; -1 if there is none. */
    int slowest() {
      int most = links.length - 1;
      for (int i = 0; i < links.length; i++) {
        most = delay[i] > delay[most] ? i : most;
      }
      return most;
    }
  }
}
