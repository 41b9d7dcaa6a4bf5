package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.QueueName;

/** A queue as policies see it, descendants included: its usage and its numbers of jobs. */
public interface QueueView {

  /** Returns the name. */
  QueueName name();

  /** Returns the number of waiting jobs, those gathered for a batch plan included. */
  int waiting();

  /** Returns the number of running jobs. */
  int running();

  /**
   * Returns the GPUs that running jobs hold or will hold after resizing, a share counting as one.
   */
  int gpus();
}
