package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;

/**
 * A rule without parameters, by gain alone. All jobs shrink to their smallest sizes while many
 * wait.
 */
record SizingRule(String name, Gain rule) implements SizingPolicy {

  /** The function behind {@link SizingPolicy#gain}. */
  @FunctionalInterface
  interface Gain {
    double of(Candidate job, int from, int to);
  }

  static final SizingRule MARGINAL =
      new SizingRule(
          "marginal", (job, from, to) -> (job.speed(to) / job.speed(from) - 1) / (to - from));

  static final SizingRule OPTIMUS =
      new SizingRule(
          "optimus",
          (job, from, to) -> {
            double saved = 1 - job.speed(from) / job.speed(to);
            Duration left = job.remaining().orElse(Duration.ZERO);
            return saved * (secondsAt(job, left, from) + 1) / (to - from);
          });

  static final SizingRule GOODPUT =
      new SizingRule(
          "goodput",
          (job, from, to) -> (1 / job.speedup(from) - 1 / job.speedup(to)) / (to - from));

  /** Returns the seconds that work takes at a size, given its time at the preferred size. */
  static double secondsAt(Candidate job, Duration atPreferred, int tasks) {
    double seconds = GpuTime.exactSeconds(atPreferred);
    return seconds * job.speed(job.job().parallelism().preferred()) / job.speed(tasks);
  }

  /** Returns the tasks that a job keeps. */
  static int floorOf(Candidate job, boolean manyWait) {
    return manyWait ? job.job().parallelism().min() : job.job().parallelism().preferred();
  }

  @Override
  public double gain(Candidate job, int from, int to) {
    return rule.of(job, from, to);
  }

  @Override
  public int floor(Candidate job, boolean manyWait) {
    return floorOf(job, manyWait);
  }
}
