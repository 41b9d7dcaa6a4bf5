package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.GpuId;
import java.time.Duration;
import java.util.Objects;

/** A time, from the start of the trace, for which the worker that then is on a GPU is slow. */
public record Slowdown(GpuId gpu, Duration from, Duration until) {

  /**
   * Checks the order of times.
   *
   * @throws IllegalArgumentException if {@code until} is before {@code from}
   */
  public Slowdown {
    Objects.requireNonNull(gpu, "gpu");
    if (until.compareTo(from) < 0) {
      throw new IllegalArgumentException(
          "a slowdown must not end before it begins, but was from %s until %s, for GPU %s"
              .formatted(from, until, gpu));
    }
  }
}
