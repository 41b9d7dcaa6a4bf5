package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.ledger.PartitionProgress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A message from a worker to the leader. Any of it may come late, twice or out of order. */
public sealed interface ToLeader {

  /** Returns the sender. */
  WorkerId worker();

  /**
   * Asks to train, at first or under a new leader.
   *
   * @param worker who asks
   * @param replica where the job is for all that this worker knows, or null if it never trained
   * @param loaded whether the worker holds the model
   */
  record Register(WorkerId worker, @Nullable Replica replica, boolean loaded) implements ToLeader {}

  /**
   * Has prepared its execution context.
   *
   * @param worker who is ready
   */
  record Ready(WorkerId worker) implements ToLeader {}

  /**
   * Has summed the gradients of a mini-batch with the others and waits to apply them. This request
   * also says that the worker is alive: there are no heartbeats.
   *
   * @param worker who reports
   * @param topology the number of the topology that it trained in
   * @param step which mini-batch
   * @param progress what it read, or null if there was nothing to read for it
   * @param compute how long its own computation took
   */
  record BatchEnd(
      WorkerId worker,
      long topology,
      long step,
      @Nullable PartitionProgress progress,
      Duration compute)
      implements ToLeader {}

  /**
   * Could not sum its gradients with the others.
   *
   * @param worker who reports
   * @param topology the number of the topology that it trained in
   * @param step which mini-batch
   */
  record BatchFailed(WorkerId worker, long topology, long step) implements ToLeader {}

  /**
   * Asks to exit gracefully.
   *
   * @param worker who asks
   */
  record Leave(WorkerId worker) implements ToLeader {}

  /**
   * Its process has ended; told by who noticed.
   *
   * @param worker who is gone
   */
  record Lost(WorkerId worker) implements ToLeader {}
}
