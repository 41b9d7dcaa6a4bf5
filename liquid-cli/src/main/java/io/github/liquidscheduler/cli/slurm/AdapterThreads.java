package io.github.liquidscheduler.cli.slurm;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** The threads of a reconciler in a process that ends with it. */
final class AdapterThreads {

  private AdapterThreads() {}

  /** Returns two threads; what is asked of them after their end is not done. */
  static ScheduledExecutorService two() {
    return new ScheduledThreadPoolExecutor(2, new ThreadPoolExecutor.DiscardPolicy());
  }
}
