package io.github.liquidscheduler.resource;

import java.util.List;
import java.util.Locale;

/**
 * An amount of host or device memory in bytes. Never negative.
 *
 * @param bytes the amount in bytes, at least 0
 */
public record Memory(long bytes) implements Comparable<Memory> {

  /** No memory at all. */
  public static final Memory ZERO = new Memory(0);

  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final long TIB = 1L << 40;

  private static final Units UNITS =
      new Units(
          "memory",
          "16GiB",
          List.of(
              new Units.Unit("B", 1L),
              new Units.Unit("KiB", 1L << 10),
              new Units.Unit("MiB", MIB),
              new Units.Unit("GiB", GIB),
              new Units.Unit("TiB", TIB),
              new Units.Unit("kB", 1_000L),
              new Units.Unit("MB", 1_000_000L),
              new Units.Unit("GB", 1_000_000_000L),
              new Units.Unit("TB", 1_000_000_000_000L)),
          1);

  /**
   * Checks the amount.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public Memory {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "memory must not be negative, but was " + bytes + " bytes");
    }
  }

  /** Returns {@code bytes} bytes. */
  public static Memory ofBytes(long bytes) {
    return new Memory(bytes);
  }

  /**
   * Returns {@code mib} mebibytes (2<sup>20</sup> bytes each).
   *
   * @throws IllegalArgumentException if that is negative or 2<sup>63</sup> bytes or more
   */
  public static Memory ofMib(long mib) {
    return new Memory(Units.times("memory", mib, MIB, "MiB"));
  }

  /**
   * Returns {@code gib} gibibytes (2<sup>30</sup> bytes each).
   *
   * @throws IllegalArgumentException if that is negative or 2<sup>63</sup> bytes or more
   */
  public static Memory ofGib(long gib) {
    return new Memory(Units.times("memory", gib, GIB, "GiB"));
  }

  /**
   * Returns {@code tib} tebibytes (2<sup>40</sup> bytes each).
   *
   * @throws IllegalArgumentException if that is negative or 2<sup>63</sup> bytes or more
   */
  public static Memory ofTib(long tib) {
    return new Memory(Units.times("memory", tib, TIB, "TiB"));
  }

  /**
   * Returns an amount as people write it, such as {@code 16GiB} or {@code 1.5 TB}: a number and one
   * of the units B, KiB, MiB, GiB, TiB, kB, MB, GB and TB.
   *
   * @throws IllegalArgumentException if the text is nothing such, or no whole number of bytes
   */
  public static Memory parse(String text) {
    return new Memory(UNITS.parse(text));
  }

  /** Returns the sum of this amount and {@code other}. */
  public Memory plus(Memory other) {
    return new Memory(Math.addExact(bytes, other.bytes));
  }

  /**
   * Returns this amount less {@code other}.
   *
   * @throws IllegalArgumentException if {@code other} is larger than this amount
   */
  public Memory minus(Memory other) {
    return new Memory(bytes - other.bytes);
  }

  @Override
  public int compareTo(Memory other) {
    return Long.compare(bytes, other.bytes);
  }

  /** Returns the amount in the largest fitting unit, such as {@code 16 GiB}. */
  @Override
  public String toString() {
    if (bytes >= GIB) {
      return inUnits(GIB) + " GiB";
    }
    return bytes >= MIB ? inUnits(MIB) + " MiB" : bytes + " B";
  }

  private String inUnits(long unit) {
    return bytes % unit == 0
        ? Long.toString(bytes / unit)
        : String.format(Locale.ROOT, "%.1f", (double) bytes / unit);
  }
}
