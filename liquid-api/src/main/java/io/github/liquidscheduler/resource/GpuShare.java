package io.github.liquidscheduler.resource;

import java.math.BigDecimal;

/**
 * A share of the compute of one GPU, in thousandths.
 *
 * @param thousandths the share, from 1 to 1000 (the whole GPU)
 */
public record GpuShare(int thousandths) implements Comparable<GpuShare> {

  /** The whole GPU. */
  public static final GpuShare WHOLE = new GpuShare(1000);

  /**
   * Checks the share.
   *
   * @throws IllegalArgumentException if {@code thousandths} is not from 1 to 1000
   */
  public GpuShare {
    if (thousandths < 1 || thousandths > 1000) {
      throw new IllegalArgumentException(
          "a GPU share must be from 0.001 to 1, but was "
              + BigDecimal.valueOf(thousandths, 3).stripTrailingZeros().toPlainString());
    }
  }

  /**
   * Returns a fraction of a GPU, such as .25.
   *
   * @throws IllegalArgumentException if it is not a whole number of thousandths from .001 to 1
   */
  public static GpuShare of(double fraction) {
    return new GpuShare(
        Math.clamp(
            Units.thousandths("a GPU share", fraction), Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  /**
   * Returns {@code percent} hundredths of a GPU.
   *
   * @throws IllegalArgumentException if {@code percent} is not from 1 to 100
   */
  public static GpuShare ofPercent(int percent) {
    return new GpuShare(Math.clamp(percent * 10L, Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  /** Returns {@code thousandths} thousandths of a GPU, from 1 to 1000. */
  public static GpuShare ofThousandths(int thousandths) {
    return new GpuShare(thousandths);
  }

  /** Returns true if this is the whole GPU. */
  public boolean isWhole() {
    return thousandths == 1000;
  }

  @Override
  public int compareTo(GpuShare other) {
    return Integer.compare(thousandths, other.thousandths);
  }

  /** Returns the share in percent, such as {@code 50 %}. */
  @Override
  public String toString() {
    return thousandths % 10 == 0 ? thousandths / 10 + " %" : thousandths / 10.0 + " %";
  }
}
