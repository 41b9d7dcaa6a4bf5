package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.SampleRange;

/** An action of a worker; they are done in order. */
public sealed interface WorkerOutput {

  /** Send a message to the leader. */
  record Send(ToLeader message) implements WorkerOutput {}

  /**
   * Let the training process train a mini-batch.
   *
   * @param topology who trains it together
   * @param step which mini-batch
   * @param batch what to read; empty if there is nothing left for this worker
   * @param committed whether the mini-batch that was reported last counts and is to be applied to
   *     the model before this one; if not, it is to be forgotten
   * @param switched whether the topology is new: connect to its members, then broadcast the model
   * @param switchAt the first mini-batch of the next topology, if one beyond {@code step} is known
   */
  record Run(
      TopologyEpoch topology,
      long step,
      SampleRange batch,
      boolean committed,
      boolean switched,
      long switchAt)
      implements WorkerOutput {}

  /** Let the training process end; tells whether the mini-batch reported last counts. */
  record Stopped(ToWorker.StopReason reason, boolean committed) implements WorkerOutput {}
}
