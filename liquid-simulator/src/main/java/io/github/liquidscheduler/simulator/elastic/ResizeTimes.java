package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.formats.input.Quoted;
import java.time.Duration;

/**
 * The durations of a size change: new workers are prepared while the others train, then the job
 * pauses, holding its old and new GPUs.
 *
 * @param preparation the preparation of new workers, if any
 * @param growing the pause of a job that gets new workers
 * @param shrinking the pause of a job that only loses some
 * @param resuming the pause of a job that is stopped and resumed
 * @param resumingPerGpu the additional pause per GPU that it then has
 * @param isStopResume whether each size change stops and resumes the job, instead of the pauses
 *     above
 */
public record ResizeTimes(
    Duration preparation,
    Duration growing,
    Duration shrinking,
    Duration resuming,
    Duration resumingPerGpu,
    boolean isStopResume) {

  /** Nothing takes any time. */
  public static final ResizeTimes ZERO =
      new ResizeTimes(
          Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, false);

  /**
   * Stop-free: new workers are prepared for 30 s, then all stand still for 2.5 s; getting smaller
   * costs nothing. Resuming after a pre-emption takes 40 s and 5 s for each GPU.
   */
  public static final ResizeTimes STOP_FREE =
      new ResizeTimes(
          Duration.ofSeconds(30),
          Duration.ofMillis(2500),
          Duration.ZERO,
          Duration.ofSeconds(40),
          Duration.ofSeconds(5),
          false);

  /** Stop-resume: each change of size and each restart takes 40 s and 5 s for each GPU. */
  public static final ResizeTimes STOP_RESUME =
      new ResizeTimes(
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ofSeconds(40),
          Duration.ofSeconds(5),
          true);

  /**
   * Checks the times.
   *
   * @throws IllegalArgumentException if one is negative or longer than a day
   */
  public ResizeTimes {
    for (Duration time :
        new Duration[] {preparation, growing, shrinking, resuming, resumingPerGpu}) {
      if (time.isNegative() || time.compareTo(Duration.ofDays(1)) > 0) {
        throw new IllegalArgumentException(
            "a time that a change of size takes must be from 0 s to a day, but was " + time);
      }
    }
  }

  /**
   * Returns the times called {@code name}: zero, free or stop.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static ResizeTimes named(String name) {
    return switch (name) {
      case "zero" -> ZERO;
      case "free" -> STOP_FREE;
      case "stop" -> STOP_RESUME;
      default ->
          throw new IllegalArgumentException(
              "the times of resizes must be zero, free or stop, but were " + Quoted.of(name));
    };
  }

  /** Returns the nanoseconds in which new workers are prepared while the others train. */
  public long preparing(boolean grows) {
    return grows ? preparation.toNanos() : 0;
  }

  /** Returns the pause of a job that changes to a number of GPUs, in nanoseconds. */
  public long pause(boolean grows, int gpus) {
    return isStopResume ? resume(gpus) : grows ? growing.toNanos() : shrinking.toNanos();
  }

  /** Returns the pause of a job that is resumed on a number of GPUs, in nanoseconds. */
  public long resume(int gpus) {
    return resuming.plus(resumingPerGpu.multipliedBy(gpus)).toNanos();
  }
}
