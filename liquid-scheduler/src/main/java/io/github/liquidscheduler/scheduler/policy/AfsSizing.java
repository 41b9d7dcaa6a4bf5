package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.JobSpec;

/** AFS-L: the shorter of two jobs grows, unless the longer gains more. */
record AfsSizing() implements SizingPolicy {

  @Override
  public String name() {
    return "afs";
  }

  @Override
  public int floor(Candidate job, boolean manyWait) {
    return SizingRule.floorOf(job, manyWait);
  }

  @Override
  public double gain(Candidate job, int from, int to) {
    return (job.speedup(to) - job.speedup(from)) / (to - from);
  }

  @Override
  public boolean isByGain() {
    return false;
  }

  @Override
  public boolean prefersLater(Growth earlier, Growth later) {
    return secondsLeft(later) < secondsLeft(earlier)
        ? !outweighs(earlier, later)
        : outweighs(later, earlier);
  }

  private static double secondsLeft(Growth growth) {
    Candidate job = growth.job();
    return SizingRule.secondsAt(job, job.remaining().orElse(job.executed()), growth.from());
  }

  /** Returns true if the longer job gains more, each relative to its own speed. */
  private boolean outweighs(Growth longer, Growth shorter) {
    return gainOfEachGpu(longer) / longer.job().speedup(longer.to())
        > gainOfEachGpu(shorter) / shorter.job().speedup(shorter.from());
  }

  private double gainOfEachGpu(Growth growth) {
    JobSpec job = growth.job().job();
    int gpus = job.sizedGpus(growth.to()) - job.sizedGpus(growth.from());
    double perTask = (double) gpus / (growth.to() - growth.from());
    return gain(growth.job(), growth.from(), growth.to()) / perTask;
  }
}
