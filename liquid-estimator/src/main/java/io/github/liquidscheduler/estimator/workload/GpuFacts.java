package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;

/**
 * Published figures of GPU models.
 *
 * @param name a part of the model's name, in lower-case letters and digits
 * @param teraflops single-precision peak, in 10<sup>12</sup> operations per second
 * @param bandwidth memory bandwidth, in gigabytes per second
 * @param memory device memory, in gibibytes
 */
record GpuFacts(String name, double teraflops, double bandwidth, double memory) {
  private static final GpuFacts TYPICAL = new GpuFacts("", 15, 900, 16);

  /** In the order of search, so that a longer name comes before one that it contains. */
  private static final List<GpuFacts> TABLE =
      List.of(
          new GpuFacts("k80", 4.1, 240, 12),
          new GpuFacts("m60", 4.8, 160, 8),
          new GpuFacts("p100", 9.3, 732, 16),
          new GpuFacts("p40", 11.8, 346, 24),
          new GpuFacts("v100", 14.0, 900, 16),
          new GpuFacts("t4", 8.1, 320, 16),
          new GpuFacts("rtx2080ti", 13.4, 616, 11),
          new GpuFacts("rtx3090", 35.6, 936, 24),
          new GpuFacts("rtx4090", 82.6, 1008, 24),
          new GpuFacts("a100", 19.5, 1555, 40),
          new GpuFacts("a10", 31.2, 600, 24),
          new GpuFacts("l40", 90.5, 864, 48),
          new GpuFacts("l4", 30.3, 300, 24),
          new GpuFacts("h100", 67.0, 3350, 80),
          new GpuFacts("h200", 67.0, 4800, 141),
          new GpuFacts("b200", 75.0, 8000, 180));

  /** Returns the figures of {@code gpu}, or those of a typical one if the model is not known. */
  static GpuFacts of(GpuModel gpu) {
    String name = ComparableName.of(gpu.name());
    for (GpuFacts facts : TABLE) {
      if (name.contains(facts.name)) {
        return facts;
      }
    }
    return TYPICAL;
  }
}
