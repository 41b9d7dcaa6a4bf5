package io.github.liquidscheduler.scheduler.speed;

import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;

/**
 * The relative speed of a job at its size and GPU model. Speed is proportional to tasks, relative
 * to the preferred size.
 *
 * @param size the tasks of its first role
 * @param preferred the preferred number of them
 * @param gpuSpeed the speed on its GPUs relative to its fastest model, above 0
 * @param fleetSpeed the same, relative to its mean over all GPUs that it may use
 */
public record Pace(int size, int preferred, double gpuSpeed, double fleetSpeed) {

  /** The pace at the preferred size and GPU model, and of waiting jobs. */
  public static final Pace PREFERRED = new Pace(1, 1, 1, 1);

  /** Converts a time on these GPUs to the fastest GPUs. */
  public Duration onFastestGpus(Duration time) {
    return gpuSpeed == 1 ? time : GpuTime.divided(time, 1 / gpuSpeed);
  }

  /** Converts a time on these GPUs to GPUs of mean speed. */
  public Duration onMeanGpus(Duration time) {
    return fleetSpeed == 1 ? time : GpuTime.divided(time, 1 / fleetSpeed);
  }

  /** Converts a time on the fastest GPUs to these GPUs. */
  public Duration onItsGpus(Duration time) {
    return gpuSpeed == 1 ? time : GpuTime.divided(time, gpuSpeed);
  }

  /** Returns the least time here whose {@link #onMeanGpus} is at least {@code time}. */
  public Duration leastOnItsGpus(Duration time) {
    Duration about = fleetSpeed == 1 ? time : GpuTime.divided(time, fleetSpeed);
    if (fleetSpeed == 1 || about.compareTo(GpuTime.MOST) >= 0) {
      return about;
    }
    // Rounding errors: a nanosecond on mean GPUs, and the precision of a double.
    long off = (long) (3 / fleetSpeed) + 3 + Math.max(0, about.toSeconds() >>> 20);
    long least = -off;
    long enough = off;
    while (enough - least > 1) {
      long middle = least + (enough - least) / 2;
      if (onMeanGpus(later(about, middle)).compareTo(time) >= 0) {
        enough = middle;
      } else {
        least = middle;
      }
    }
    return later(about, enough);
  }

  private static Duration later(Duration time, long nanos) {
    Duration later = time.plusNanos(nanos);
    return later.isNegative() ? Duration.ZERO : later;
  }

  /** Converts a time here to the preferred size on the fastest GPUs. */
  public Duration atPreferredSize(Duration time) {
    return onFastestGpus(size == preferred ? time : GpuTime.times(time, size).dividedBy(preferred));
  }

  /** Converts a time at the preferred size on the fastest GPUs to here. */
  public Duration atItsSize(Duration time) {
    return onItsGpus(size == preferred ? time : GpuTime.times(time, preferred).dividedBy(size));
  }
}
