package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.GpuId;
import java.time.Duration;
import java.util.Objects;

/**
 * A time for which the worker that then is on a GPU is slow. Times count from the start of the
 * trace.
 *
 * @param gpu the GPU
 * @param from when the worker becomes slow
 * @param until when it is as fast as before
 */
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
