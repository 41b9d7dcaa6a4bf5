package io.github.liquidscheduler.scheduler.quota;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The amounts of each counted resource that a job holds or requests, in the smallest units:
 * thousandths of a GPU or core, or bytes. Immutable.
 */
public final class Charge {

  private final long[] amounts;
  private final boolean isSome;

  /** Makes a charge of these amounts, in the order of the tree's resources; not copied. */
  public Charge(long[] amounts) {
    this.amounts = amounts;
    isSome = isSome(amounts);
  }

  private static boolean isSome(long[] amounts) {
    for (long amount : amounts) {
      if (amount > 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns the sum of two non-negative amounts; {@link Long#MAX_VALUE} on overflow. */
  static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  /**
   * Returns the product of a non-negative amount and a count; {@link Long#MAX_VALUE} on overflow.
   */
  static long times(long amount, int times) {
    return amount > 0 && times > Long.MAX_VALUE / amount ? Long.MAX_VALUE : amount * times;
  }

  /** Returns a charge of these amounts, in the order of the tree's resources. */
  public static Charge of(List<Long> amounts) {
    return new Charge(amounts.stream().mapToLong(Long::longValue).toArray());
  }

  /** Returns the amounts, in the order of the tree's resources. */
  public List<Long> toList() {
    return Arrays.stream(amounts).boxed().toList();
  }

  /** Returns a copy of the amounts. */
  long[] amounts() {
    return amounts.clone();
  }

  /** Returns the larger of both amounts of each resource. */
  public Charge max(Charge other) {
    if (equals(other)) {
      return this;
    }
    long[] larger = new long[amounts.length];
    for (int resource = 0; resource < amounts.length; resource++) {
      larger[resource] = Math.max(amounts[resource], other.amounts[resource]);
    }
    return new Charge(larger);
  }

  long of(int resource) {
    return amounts[resource];
  }

  /** Returns true if any amount is positive. */
  boolean isSome() {
    return isSome;
  }

  /** Returns the resources of which this is some. */
  public BitSet resources() {
    BitSet resources = new BitSet();
    for (int resource = 0; resource < amounts.length; resource++) {
      resources.set(resource, amounts[resource] > 0);
    }
    return resources;
  }

  /** Returns this charge minus another; amounts may be negative. */
  public Charge without(Charge other) {
    long[] rest = new long[amounts.length];
    for (int resource = 0; resource < amounts.length; resource++) {
      rest[resource] = amounts[resource] - other.amounts[resource];
    }
    return new Charge(rest);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Charge that && Arrays.equals(amounts, that.amounts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(amounts);
  }

  void addTo(long[] sums, int times) {
    for (int resource = 0; resource < sums.length; resource++) {
      sums[resource] += times * amounts[resource];
    }
  }
}
