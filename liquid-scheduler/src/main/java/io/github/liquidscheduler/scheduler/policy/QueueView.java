package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.QueueName;

/** What a policy may know of a queue: what its jobs hold, and how many of them there are. */
public interface QueueView {

  /** Returns the name, which its jobs bear. */
  QueueName name();

  /** Returns how many of its jobs wait, those gathered for a batch plan included. */
  int waiting();

  /** Returns how many of its jobs run. */
  int running();

  /**
   * Returns the GPUs that its running jobs have or are getting, a share counting as one; not what
   * they are giving up.
   */
  int gpus();
}
