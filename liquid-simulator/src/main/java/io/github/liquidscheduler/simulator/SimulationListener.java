package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.util.List;

/** Watches a simulation while it runs. It is called by the thread that runs it. */
public interface SimulationListener {

  /**
   * The scheduler was given an event and has decided. The scheduler may be asked but not be given
   * events. By default nothing happens.
   */
  default void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {}

  /**
   * A job has ended, or is left over at the end of the simulation; each job does so once. By
   * default nothing happens.
   */
  default void ended(JobFate fate) {}

  /** An event is over, and {@code ended} of {@code jobs} have ended. By default nothing happens. */
  default void advanced(int ended, int jobs) {}
}
