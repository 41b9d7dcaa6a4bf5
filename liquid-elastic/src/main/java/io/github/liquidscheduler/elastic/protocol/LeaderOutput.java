package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.WorkerId;

/**
 * An action of a leader; they are done in order. If a {@link Save} fails, nothing after it may be
 * done.
 */
public sealed interface LeaderOutput {

  /**
   * Send a message.
   *
   * @param to the addressee
   * @param message what to send
   */
  record Send(WorkerId to, ToWorker message) implements LeaderOutput {}

  /**
   * Tell the cluster scheduler.
   *
   * @param answer what to tell
   */
  record Answer(ScalingAnswer answer) implements LeaderOutput {}

  /**
   * Save the state for the next leader, provided that this one still holds the lease.
   *
   * @param state what to save
   */
  record Save(LeaderState state) implements LeaderOutput {}
}
