package io.github.liquidscheduler.lab.reference;

/** Is told what a run does to jobs, in the order in which it does it. */
interface RunObserver {

  void started(CountedJob job, long now);

  void preempted(CountedJob job, long now);

  void finished(CountedJob job, long now);
}
