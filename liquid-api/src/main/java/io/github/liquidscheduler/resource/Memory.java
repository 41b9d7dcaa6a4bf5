package io.github.liquidscheduler.resource;

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

  /** Returns {@code mib} mebibytes (2<sup>20</sup> bytes each). */
  public static Memory ofMib(long mib) {
    return new Memory(Math.multiplyExact(mib, MIB));
  }

  /** Returns {@code gib} gibibytes (2<sup>30</sup> bytes each). */
  public static Memory ofGib(long gib) {
    return new Memory(Math.multiplyExact(gib, GIB));
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
