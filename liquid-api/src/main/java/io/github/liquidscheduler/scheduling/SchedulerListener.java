package io.github.liquidscheduler.scheduling;

import java.util.List;

/**
 * Is notified of every event and its decisions, for meters and logs. It is called on the thread
 * that feeds the scheduler, in the order of the turns, so it should be quick. What it throws
 * changes nothing. Every method does nothing by default.
 */
public interface SchedulerListener {

  /**
   * An event was taken, and is in the journal if there is one.
   *
   * @param event what happened; of a bundle, {@link ClusterEvent#events} has each part
   * @param decisions what was decided, in execution order
   * @param scheduler the scheduler after the event and those taken with it, to be asked during this
   *     call: who waits and {@linkplain Scheduler#explain why}, what is free. It takes no event
   */
  default void decided(
      ClusterEvent event, List<Decision> decisions, TurnTimes times, Scheduler scheduler) {}

  /**
   * An event was refused; the scheduler is as it was before.
   *
   * @param why what {@link Scheduler#on} has thrown
   */
  default void refused(ClusterEvent event, RuntimeException why) {}

  /** Events were not taken because later ones say all that they say, such as later progress. */
  default void superseded(int events) {}

  /**
   * The handler of a decision has thrown. The decision counts as carried out until an event says
   * otherwise.
   */
  default void handlerFailed(Decision decision, RuntimeException failure) {}
}
