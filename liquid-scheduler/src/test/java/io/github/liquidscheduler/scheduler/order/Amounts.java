package io.github.liquidscheduler.scheduler.order;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Non-negative amounts of the counted resources, in their smallest units and in the order of the
 * tree's resources, GPUs first. Immutable.
 */
public final class Amounts {

  private final long[] amounts;

  private Amounts(long[] amounts) {
    this.amounts = amounts;
  }

  /**
   * Returns these amounts.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public static Amounts of(long... amounts) {
    for (long amount : amounts) {
      if (amount < 0) {
        throw new IllegalArgumentException(
            "amounts must not be negative, but were " + Arrays.toString(amounts));
      }
    }
    return new Amounts(amounts.clone());
  }

  /** Returns nothing of each of {@code resources} resources. */
  public static Amounts none(int resources) {
    return new Amounts(new long[resources]);
  }

  /** Returns the number of counted resources. */
  public int resources() {
    return amounts.length;
  }

  /** Returns the amount of a resource. */
  public long get(int resource) {
    return amounts[resource];
  }

  /** Returns the sum; {@link Long#MAX_VALUE} on overflow. */
  public Amounts plus(Amounts more) {
    long[] sum = amounts.clone();
    for (int resource = 0; resource < sum.length; resource++) {
      long added = more.amounts[resource];
      sum[resource] =
          sum[resource] > Long.MAX_VALUE - added ? Long.MAX_VALUE : sum[resource] + added;
    }
    return new Amounts(sum);
  }

  /** Returns these amounts less others, at least 0 each. */
  public Amounts minus(Amounts less) {
    long[] rest = amounts.clone();
    for (int resource = 0; resource < rest.length; resource++) {
      rest[resource] = Math.max(0, rest[resource] - less.amounts[resource]);
    }
    return new Amounts(rest);
  }

  /** Returns true if each amount is at most the other's. */
  public boolean isAtMost(Amounts most) {
    for (int resource = 0; resource < amounts.length; resource++) {
      if (amounts[resource] > most.amounts[resource]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Amounts that && Arrays.equals(amounts, that.amounts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(amounts);
  }

  @Override
  public String toString() {
    return Arrays.toString(amounts);
  }
}
