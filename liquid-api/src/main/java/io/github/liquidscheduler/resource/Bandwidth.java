package io.github.liquidscheduler.resource;

import java.util.Locale;

/**
 * A rate of transfer in bytes per second, in one direction. Never negative.
 *
 * @param bytesPerSecond the rate in bytes per second, at least 0; {@link Long#MAX_VALUE} stands for
 *     a link that never limits
 */
public record Bandwidth(long bytesPerSecond) implements Comparable<Bandwidth> {

  /** The rate of a link that carries nothing. */
  public static final Bandwidth ZERO = new Bandwidth(0);

  /** The rate of a link that never limits. */
  public static final Bandwidth UNLIMITED = new Bandwidth(Long.MAX_VALUE);

  private static final long BYTES_PER_GIGABIT = 125_000_000L;

  /**
   * Checks the rate.
   *
   * @throws IllegalArgumentException if {@code bytesPerSecond} is negative
   */
  public Bandwidth {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "bandwidth must not be negative, but was " + bytesPerSecond + " bytes per second");
    }
  }

  /** Returns {@code gigabits} gigabits (10<sup>9</sup> bits) per second. */
  public static Bandwidth ofGigabitsPerSecond(long gigabits) {
    return new Bandwidth(Math.multiplyExact(gigabits, BYTES_PER_GIGABIT));
  }

  /** Returns {@code gigabytes} gigabytes (10<sup>9</sup> bytes) per second. */
  public static Bandwidth ofGigabytesPerSecond(long gigabytes) {
    return new Bandwidth(Math.multiplyExact(gigabytes, 1_000_000_000L));
  }

  /** Returns whether this link never limits. */
  public boolean isUnlimited() {
    return bytesPerSecond == Long.MAX_VALUE;
  }

  @Override
  public int compareTo(Bandwidth other) {
    return Long.compare(bytesPerSecond, other.bytesPerSecond);
  }

  /** Returns the rate in gigabits per second, such as {@code 100 Gbit/s}. */
  @Override
  public String toString() {
    if (isUnlimited()) {
      return "unlimited";
    }
    return bytesPerSecond % BYTES_PER_GIGABIT == 0
        ? bytesPerSecond / BYTES_PER_GIGABIT + " Gbit/s"
        : String.format(Locale.ROOT, "%.3f Gbit/s", (double) bytesPerSecond / BYTES_PER_GIGABIT);
  }
}
