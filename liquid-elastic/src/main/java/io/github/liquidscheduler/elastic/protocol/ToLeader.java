package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.ledger.PartitionProgress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message from a worker to the leader. Any of it may come late, twice or out of order. */
public sealed interface ToLeader {

  /** Returns the sender. */
  WorkerId worker();

  /** Asks to train, at first, or under a new leader with what it knows if it has trained. */
  record Register(WorkerId worker, @Nullable Replica replica, boolean loaded) implements ToLeader {
    /** Refuses what has no sender. */
    public Register {
      Objects.requireNonNull(worker, "worker");
    }
  }

  /** Has prepared its execution context. */
  record Ready(WorkerId worker) implements ToLeader {
    /** Refuses what has no sender. */
    public Ready {
      Objects.requireNonNull(worker, "worker");
    }
  }

  /**
   * Has summed the gradients of a mini-batch with the others and waits to apply them; without
   * progress it had nothing to read. This request also says that the worker is alive: there are no
   * heartbeats.
   */
  record BatchEnd(
      WorkerId worker,
      long topology,
      long step,
      @Nullable PartitionProgress progress,
      Duration compute)
      implements ToLeader {
    private static final Duration CENTURY = Duration.ofDays(36_525);

    /** Refuses what has no sender, and times that no mini-batch can take. */
    public BatchEnd {
      Objects.requireNonNull(worker, "worker");
      if (compute.isNegative() || compute.compareTo(CENTURY) > 0) {
        throw new IllegalArgumentException(
            "compute must be from 0 to a century, but was " + compute);
      }
    }
  }

  /** Could not sum its gradients of a mini-batch with the others of its topology. */
  record BatchFailed(WorkerId worker, long topology, long step) implements ToLeader {
    /** Refuses what has no sender. */
    public BatchFailed {
      Objects.requireNonNull(worker, "worker");
    }
  }

  /** Asks to exit gracefully. */
  record Leave(WorkerId worker) implements ToLeader {
    /** Refuses what has no sender. */
    public Leave {
      Objects.requireNonNull(worker, "worker");
    }
  }

  /** Its process has ended; told by who noticed. */
  record Lost(WorkerId worker) implements ToLeader {
    /** Refuses what has no sender. */
    public Lost {
      Objects.requireNonNull(worker, "worker");
    }
  }
}
