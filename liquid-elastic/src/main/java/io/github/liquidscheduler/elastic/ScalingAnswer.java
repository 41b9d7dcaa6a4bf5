package io.github.liquidscheduler.elastic;

import java.util.Objects;

/** An answer of an elastic job to the cluster scheduler. */
public sealed interface ScalingAnswer {

  /** The request is under way, alone or merged with others that are. */
  record Accepted(String id) implements ScalingAnswer {
    /** Refuses the absence of an id. */
    public Accepted {
      Objects.requireNonNull(id, "id");
    }
  }

  /** Ask again later: a switch is decided, or the request contradicts one that is under way. */
  record Retry(String id) implements ScalingAnswer {
    /** Refuses the absence of an id. */
    public Retry {
      Objects.requireNonNull(id, "id");
    }
  }

  /** The request cannot be met, for a reason of one sentence. */
  record Rejected(String id, String reason) implements ScalingAnswer {
    /** Refuses the absence of an id and a reason. */
    public Rejected {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** The job trains with the workers that were asked for, from mini-batch {@code step} on. */
  record Switched(String id, long topologyEpoch, long step) implements ScalingAnswer {
    /** Refuses the absence of an id. */
    public Switched {
      Objects.requireNonNull(id, "id");
    }
  }

  /** A new worker was not ready in time and is no longer waited for; the job trains as before. */
  record TimedOut(String id, WorkerId worker) implements ScalingAnswer {
    /** Refuses the absence of an id and a worker. */
    public TimedOut {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(worker, "worker");
    }
  }

  /** The request was withdrawn before its switch. */
  record Cancelled(String id) implements ScalingAnswer {
    /** Refuses the absence of an id. */
    public Cancelled {
      Objects.requireNonNull(id, "id");
    }
  }

  /**
   * A worker is slower than the others for good. Answer with {@link ScalingRequest.Migrate} or
   * {@link ScalingRequest.NoReplacement}.
   *
   * @param slowdown its compute time over the median, above 1
   * @param dropPays whether the others alone would be faster
   */
  record StragglerFound(WorkerId worker, double slowdown, boolean dropPays)
      implements ScalingAnswer {
    /** Refuses the absence of a worker. */
    public StragglerFound {
      Objects.requireNonNull(worker, "worker");
    }
  }

  /** A worker was lost and the others go on without it. */
  record Evicted(WorkerId worker) implements ScalingAnswer {
    /** Refuses the absence of a worker. */
    public Evicted {
      Objects.requireNonNull(worker, "worker");
    }
  }

  /**
   * No worker is left that holds the model, and mini-batch {@code step} could not be trained: the
   * job has to be started from a checkpoint.
   */
  record ModelLost(long step) implements ScalingAnswer {}

  /** Every epoch is done, after {@code steps} mini-batches. */
  record Finished(long steps) implements ScalingAnswer {}
}
