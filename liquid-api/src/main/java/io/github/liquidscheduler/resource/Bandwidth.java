package io.github.liquidscheduler.resource;

import java.util.List;
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

  /** Counted in bits, so that every unit is a whole number. */
  private static final Units UNITS =
      new Units(
          "bandwidth",
          "100Gbit/s",
          List.of(
              new Units.Unit("bit/s", 1L),
              new Units.Unit("kbit/s", 1_000L),
              new Units.Unit("Mbit/s", 1_000_000L),
              new Units.Unit("Gbit/s", 1_000_000_000L),
              new Units.Unit("Tbit/s", 1_000_000_000_000L),
              new Units.Unit("B/s", 8L),
              new Units.Unit("kB/s", 8_000L),
              new Units.Unit("MB/s", 8_000_000L),
              new Units.Unit("GB/s", 8_000_000_000L),
              new Units.Unit("TB/s", 8_000_000_000_000L)),
          8);

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

  /**
   * Returns {@code gigabits} gigabits (10<sup>9</sup> bits) per second.
   *
   * @throws IllegalArgumentException if that is negative or 2<sup>63</sup> bytes or more
   */
  public static Bandwidth ofGigabitsPerSecond(long gigabits) {
    return new Bandwidth(Units.times("bandwidth", gigabits, BYTES_PER_GIGABIT, "Gbit/s"));
  }

  /**
   * Returns {@code gigabytes} gigabytes (10<sup>9</sup> bytes) per second.
   *
   * @throws IllegalArgumentException if that is negative or 2<sup>63</sup> bytes or more
   */
  public static Bandwidth ofGigabytesPerSecond(long gigabytes) {
    return new Bandwidth(Units.times("bandwidth", gigabytes, 1_000_000_000L, "GB/s"));
  }

  /**
   * Returns a rate as people write it, such as {@code 100Gbit/s} or {@code 12.5 GB/s}: a number and
   * one of the units bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, B/s, kB/s, MB/s, GB/s and TB/s.
   *
   * @throws IllegalArgumentException if the text is nothing such, or no whole number of bytes per
   *     second
   */
  public static Bandwidth parse(String text) {
    return new Bandwidth(UNITS.parse(text));
  }

  /** Returns true if this link never limits. */
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
