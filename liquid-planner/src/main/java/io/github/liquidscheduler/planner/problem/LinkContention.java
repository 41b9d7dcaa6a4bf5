package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.placement.network.LinkUsage;
import io.github.liquidscheduler.planner.cost.CostTerms;

/**
 * The contention of gangs on links: for each link and each two gangs on it, what one delays the
 * other while it keeps the link busy. Two sums for each link suffice. Amounts are whole numbers, so
 * that adding and removing are exact inverses. Not thread-safe.
 *
 * <p>A gang that waits for several links counts the delay on each, and how long links are kept busy
 * does not grow with the delay. So this guides a search; the cost of a plan is that of its
 * evaluation with all jobs on the links.
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

  /** Returns the contention cost of all gangs, in units. */
  long cost() {
    return toUnits(sum);
  }

  /** Returns by how much one gang more would raise the cost, in units. */
  public long rise(Usage usage) {
    return toUnits(beside(usage));
  }

  /** Returns about what sending over a link would cost a gang with such link usage. */
  public long hint(Usage like, int link) {
    int most = like.slowest();
    return most < 0 ? 0 : toUnits(like.delay[most] * busy[link] + like.busy[most] * delay[link]);
  }

  void add(Usage usage) {
    sum += beside(usage);
    for (int i = 0; i < usage.links.length; i++) {
      busy[usage.links[i]] += usage.busy[i];
      delay[usage.links[i]] += usage.delay[i];
    }
  }

  void remove(Usage usage) {
    for (int i = 0; i < usage.links.length; i++) {
      busy[usage.links[i]] -= usage.busy[i];
      delay[usage.links[i]] -= usage.delay[i];
    }
    sum -= beside(usage);
  }

  private long beside(Usage usage) {
    long more = 0;
    for (int i = 0; i < usage.links.length; i++) {
      int link = usage.links[i];
      more += usage.delay[i] * busy[link] + usage.busy[i] * delay[link];
    }
    return more;
  }

  private static long toUnits(long product) {
    return product / WHOLE * UNITS_PER_MICRO;
  }

  /** What one gang uses of links, in whole numbers; never changed. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Usage(int[] links, int[] busy, long[] delay) {
    /** The usage of a gang whose traffic crosses no link. */
    public static final Usage NONE = new Usage(new int[0], new int[0], new long[0]);

    static Usage of(LinkUsage use) {
      Usage usage = new Usage(new int[use.size()], new int[use.size()], new long[use.size()]);
      for (int i = 0; i < use.size(); i++) {
        usage.links[i] = use.link(i);
        usage.busy[i] = (int) Math.ceil(use.busy(i) * WHOLE);
        usage.delay[i] = (long) Math.ceil(use.delay(i) * MICROS);
      }
      return usage;
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
