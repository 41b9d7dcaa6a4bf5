package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.WorkerId;

/** An action of a leader, done in order; if a {@link Save} fails, nothing after it may be. */
public sealed interface LeaderOutput {

  /** Send a message to a worker. */
  record Send(WorkerId to, ToWorker message) implements LeaderOutput {}

  /** Tell the cluster scheduler. */
  record Answer(ScalingAnswer answer) implements LeaderOutput {}

  /** Save the state for the next leader, provided that this one still holds the lease. */
  record Save(LeaderState state) implements LeaderOutput {}
}
