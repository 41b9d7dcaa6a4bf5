package io.github.liquidscheduler.scheduler.policy;

import java.time.Duration;

/** Rules of sizes without parameters. Where many wait, all jobs go back to their smallest sizes. */
enum SizingRule implements SizingPolicy {
  MARGINAL_GAIN {
    @Override
    public double gain(Candidate job, int from, int to) {
      return (job.speed(to) / job.speed(from) - 1) / (to - from);
    }
  },

  OPTIMUS {
    @Override
    public double gain(Candidate job, int from, int to) {
      double saved = 1 - job.speed(from) / job.speed(to);
      double seconds = job.remaining().map(Duration::toSeconds).orElse(0L) + 1;
      return saved * seconds / (to - from);
    }
  },

  GOODPUT {
    @Override
    public double gain(Candidate job, int from, int to) {
      return (1 / job.speedup(from) - 1 / job.speedup(to)) / (to - from);
    }
  };

  @Override
  public int floor(Candidate job, boolean manyWait) {
    return manyWait ? job.job().parallelism().min() : job.job().parallelism().preferred();
  }
}
