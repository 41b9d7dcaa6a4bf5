package io.github.liquidscheduler.lab.reference;

import io.github.liquidscheduler.simulator.metrics.RunDigest;

/** Adds all that a run does to a fingerprint. */
record DigestObserver(RunDigest digest) implements RunObserver {

  @Override
  public void started(CountedJob job, long now) {
    add("start", job, now);
  }

  @Override
  public void preempted(CountedJob job, long now) {
    add("preempt", job, now);
  }

  @Override
  public void finished(CountedJob job, long now) {
    add("finish", job, now);
  }

  private void add(String what, CountedJob job, long now) {
    digest.add(now + " " + what + " " + job.id());
  }
}
