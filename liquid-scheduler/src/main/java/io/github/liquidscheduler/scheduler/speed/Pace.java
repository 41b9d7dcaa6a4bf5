package io.github.liquidscheduler.scheduler.speed;

import io.github.liquidscheduler.scheduler.policy.GpuTime;
import java.time.Duration;

/**
 * How fast a job is where it runs: at the size it has, beside its preferred one, in proportion to
 * its tasks, since nothing better is known; and on the GPU model it has, beside the one on which it
 * is fastest.
 *
 * @param size the tasks of its first role
 * @param preferred how many of them it prefers
 * @param gpuSpeed how fast it is on its GPUs, above 0; 1 is as fast as on the fastest
 * @param fleetSpeed the same, beside its mean over all GPUs that it may use
 */
public record Pace(int size, int preferred, double gpuSpeed, double fleetSpeed) {

  /** The pace of a job that has its preferred size and GPU model, or does not run. */
  public static final Pace PREFERRED = new Pace(1, 1, 1, 1);

  /** Returns how long that takes on the fastest GPUs which takes {@code time} on these. */
  public Duration onFastestGpus(Duration time) {
    return gpuSpeed == 1 ? time : GpuTime.divided(time, 1 / gpuSpeed);
  }

  /** Returns how long that takes on GPUs of mean speed which takes {@code time} on these. */
  public Duration onMeanGpus(Duration time) {
    return fleetSpeed == 1 ? time : GpuTime.divided(time, 1 / fleetSpeed);
  }

  /** Returns how long that takes on these GPUs which takes {@code time} on the fastest. */
  public Duration onItsGpus(Duration time) {
    return gpuSpeed == 1 ? time : GpuTime.divided(time, gpuSpeed);
  }

  /** Returns the least time here of which {@link #onMeanGpus} makes at least {@code time}. */
  public Duration leastOnItsGpus(Duration time) {
    Duration about = fleetSpeed == 1 ? time : GpuTime.divided(time, fleetSpeed);
    if (fleetSpeed == 1 || about.compareTo(GpuTime.MOST) >= 0) {
      return about;
    }
    // What both round off is a nanosecond on mean GPUs, and what a double cannot hold.
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

  /**
   * Returns how long that takes at the preferred size on the fastest GPUs which takes {@code time}
   * here.
   */
  public Duration atPreferredSize(Duration time) {
    return onFastestGpus(size == preferred ? time : GpuTime.times(time, size).dividedBy(preferred));
  }

  /**
   * Returns how long that takes here which takes {@code time} at the preferred size on the fastest
   * GPUs.
   */
  public Duration atItsSize(Duration time) {
    return onItsGpus(size == preferred ? time : GpuTime.times(time, preferred).dividedBy(size));
  }
}
