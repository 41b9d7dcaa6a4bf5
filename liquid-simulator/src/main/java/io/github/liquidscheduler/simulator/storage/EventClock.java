package io.github.liquidscheduler.simulator.storage;

import java.time.Duration;
import java.time.InstantSource;

/** The clock of a simulation, on which things can be set to happen. */
public interface EventClock extends InstantSource {

  /**
   * Lets {@code task} be run once after a delay, zero or more; at one instant in the order in which
   * they were asked for.
   *
   * @return what calls it off; calling off what has run does nothing
   */
  Runnable schedule(Duration delay, Runnable task);
}
