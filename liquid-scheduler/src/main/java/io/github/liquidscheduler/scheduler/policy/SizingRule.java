package io.github.liquidscheduler.scheduler.policy;

import java.time.Duration;

/**
 * A rule without parameters: the gain alone decides. Where many wait, all jobs go back to their
 * smallest sizes.
 */
record SizingRule(String name, Gain rule) implements SizingPolicy {

  /** What {@link SizingPolicy#gain} returns. */
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

  /** Returns how many seconds a time at its preferred size takes a job at another. */
  static double secondsAt(Candidate job, Duration atPreferred, int tasks) {
    double seconds = atPreferred.getSeconds() + atPreferred.getNano() / 1e9;
    return seconds * job.speed(job.job().parallelism().preferred()) / job.speed(tasks);
  }

  /** Returns what a job keeps by these rules. */
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
