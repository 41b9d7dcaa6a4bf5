package io.github.liquidscheduler.lab.published.elastic;

import io.github.liquidscheduler.formats.input.Quoted;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Which sizes users submit: measured ones, up to a largest and down to an efficiency. */
public enum SizeMix {
  /** Up to 16 GPUs, at least half efficient, all equally often. */
  UNIFORM(16, 0.5, 0),

  /** The same, but half as often for each doubling. */
  SMALL(16, 0.5, 1),

  /** Up to 16 GPUs, at least three quarters efficient, all equally often. */
  EFFICIENT(16, 0.75, 0),

  /** Up to 32 GPUs, at least a quarter efficient, all equally often. */
  WIDE(32, 0.25, 0),

  /** One GPU. */
  SINGLE(1, 0, 0);

  private final int largest;
  private final double leastEfficiency;
  private final int rarity;

  /**
   * A mix.
   *
   * @param rarity the power of the size with which its frequency falls
   */
  SizeMix(int largest, double leastEfficiency, int rarity) {
    this.largest = largest;
    this.leastEfficiency = leastEfficiency;
    this.rarity = rarity;
  }

  /**
   * Returns the mix called {@code name}.
   *
   * @throws IllegalArgumentException if there is none; the message lists all names
   */
  public static SizeMix named(String name) {
    return Arrays.stream(values())
        .filter(mix -> mix.mixName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a mix of sizes must be one of %s, but was %s"
                        .formatted(
                            Arrays.stream(values())
                                .map(SizeMix::mixName)
                                .collect(Collectors.joining(", ")),
                            Quoted.of(name))));
  }

  /** Returns the name on the command line. */
  public String mixName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns a size.
   *
   * @param most the most GPUs it may have
   * @param draw a number from 0 to below 1, which chooses
   */
  int size(ThroughputCurve curve, int most, double draw) {
    int[] sizes =
        Arrays.stream(curve.measured())
            .filter(size -> size <= Math.min(most, largest))
            .filter(size -> curve.efficiency(size) >= leastEfficiency)
            .toArray();
    double left = draw * Arrays.stream(sizes).mapToDouble(this::frequency).sum();
    int chosen = 0;
    while (chosen < sizes.length - 1 && left >= frequency(sizes[chosen])) {
      left -= frequency(sizes[chosen]);
      chosen++;
    }
    return sizes[chosen];
  }

  private double frequency(int size) {
    return Math.pow(size, -rarity);
  }
}
