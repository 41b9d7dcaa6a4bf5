package io.github.liquidscheduler.resource;

import java.math.BigDecimal;

/**
 * An amount of CPU in thousandths of a core. Never negative.
 *
 * @param millicores the amount in thousandths of a core, at least 0
 */
public record CpuCores(long millicores) implements Comparable<CpuCores> {

  /** No CPU at all. */
  public static final CpuCores ZERO = new CpuCores(0);

  /**
   * Checks the amount.
   *
   * @throws IllegalArgumentException if {@code millicores} is negative
   */
  public CpuCores {
    if (millicores < 0) {
      throw new IllegalArgumentException(
          "CPU must not be negative, but was " + millicores + " millicores");
    }
  }

  /**
   * Returns {@code cores} whole cores.
   *
   * @throws IllegalArgumentException if that is negative or 2<sup>63</sup> millicores or more
   */
  public static CpuCores of(long cores) {
    return new CpuCores(Units.times("CPU", cores, 1000L, "cores"));
  }

  /**
   * Returns {@code cores} cores, such as 1.5.
   *
   * @throws IllegalArgumentException if that is negative or no whole number of millicores
   */
  public static CpuCores of(double cores) {
    return new CpuCores(Units.thousandths("CPU", cores));
  }

  /** Returns {@code millicores} thousandths of a core. */
  public static CpuCores ofMillicores(long millicores) {
    return new CpuCores(millicores);
  }

  /** Returns the sum of this amount and {@code other}. */
  public CpuCores plus(CpuCores other) {
    return new CpuCores(Math.addExact(millicores, other.millicores));
  }

  @Override
  public int compareTo(CpuCores other) {
    return Long.compare(millicores, other.millicores);
  }

  /** Returns the amount in cores, such as {@code 1.5 cores}. */
  @Override
  public String toString() {
    return BigDecimal.valueOf(millicores, 3).stripTrailingZeros().toPlainString()
        + (millicores == 1000 ? " core" : " cores");
  }
}
