package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.scheduler.policy.GpuTime;
import java.time.Duration;

/**
 * How fast a job is at the size it has, beside its preferred one: in proportion to its tasks, since
 * nothing better is known.
 *
 * @param size the tasks of its first role
 * @param preferred how many of them it prefers
 */
record Pace(int size, int preferred) {

  /** The pace of a job that has its preferred size, or does not run. */
  static final Pace PREFERRED = new Pace(1, 1);

  /** Returns how long that takes at the preferred size which takes {@code time} at this one. */
  Duration atPreferredSize(Duration time) {
    return size == preferred ? time : GpuTime.times(time, size).dividedBy(preferred);
  }

  /** Returns how long that takes at this size which takes {@code time} at the preferred one. */
  Duration atItsSize(Duration time) {
    return size == preferred ? time : GpuTime.times(time, preferred).dividedBy(size);
  }
}
