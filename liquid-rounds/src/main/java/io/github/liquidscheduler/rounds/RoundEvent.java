package io.github.liquidscheduler.rounds;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that happened to GPUs of a round pool or to jobs on them, with the time at which it
 * happened. Events reach a scheduler in the order of their times; equal times are fine.
 */
public sealed interface RoundEvent {

  /** Returns the instant at which it happened. */
  Instant at();

  /** An event about one run of a task. */
  sealed interface AboutRun extends RoundEvent {

    /** Returns the run it is about. */
    TaskRun run();
  }

  /**
   * A job was submitted.
   *
   * @param spec the job: one role of tasks of one whole GPU each, as many as a round has, and
   *     {@linkplain io.github.liquidscheduler.job.Synchronization.RelaxedRounds relaxed rounds}
   * @param expected how long its tasks are expected to compute
   */
  record JobSubmitted(Instant at, JobSpec spec, ComputeTimes expected) implements RoundEvent {
    /** Checks that nothing is null. */
    public JobSubmitted {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(spec, "spec");
      Objects.requireNonNull(expected, "expected");
    }
  }

  /** The user cancelled a job. */
  record JobCancelled(Instant at, JobId job) implements RoundEvent {
    /** Checks that nothing is null. */
    public JobCancelled {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
    }
  }

  /**
   * A task has computed and now synchronizes; its GPU takes the next task.
   *
   * @param computed for how long it computed, apart from what was loaded before; empty if nobody
   *     measured it: then since it was decided upon
   */
  record TaskComputed(Instant at, TaskRun run, Optional<Duration> computed) implements AboutRun {
    /**
     * Checks the time.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public TaskComputed {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(run, "run");
      requirePositive(computed, run);
    }

    /** Makes the event of a task of which nobody measured how long it computed. */
    public TaskComputed(Instant at, TaskRun run) {
      this(at, run, Optional.empty());
    }
  }

  /** A task has synchronized, at the latest now computed too; it is done. */
  record TaskSynchronized(Instant at, TaskRun run) implements AboutRun {
    /** Checks that nothing is null. */
    public TaskSynchronized {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(run, "run");
    }
  }

  /** A task stopped without having computed or synchronized; it runs again. */
  record TaskFailed(Instant at, TaskRun run) implements AboutRun {
    /** Checks that nothing is null. */
    public TaskFailed {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(run, "run");
    }
  }

  /** The pool has a GPU more, on which nothing runs. */
  record GpuAdded(Instant at, GpuId gpu, GpuModel model) implements RoundEvent {
    /** Checks that nothing is null. */
    public GpuAdded {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(gpu, "gpu");
      Objects.requireNonNull(model, "model");
    }
  }

  /** A GPU is gone, and every task on it has stopped; those run again. */
  record GpuLost(Instant at, GpuId gpu) implements RoundEvent {
    /** Checks that nothing is null. */
    public GpuLost {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(gpu, "gpu");
    }
  }

  /** A node is gone with all its GPUs; one that has none in the pool means nothing. */
  record NodeLost(Instant at, NodeId node) implements RoundEvent {
    /** Checks that nothing is null. */
    public NodeLost {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(node, "node");
    }
  }

  /**
   * A GPU has to be given back. It takes no more tasks; those on it go on, but not beyond a
   * deadline. Answered, when nothing runs on it, by {@link RoundDecision.GiveBack}. Asked again for
   * the same GPU, the earlier deadline counts.
   *
   * @param until when it has to be given back, not before {@code at}
   */
  record GpuAskedBack(Instant at, GpuId gpu, Instant until) implements RoundEvent {
    /**
     * Checks the times.
     *
     * @throws IllegalArgumentException if the deadline is over
     */
    public GpuAskedBack {
      Objects.requireNonNull(gpu, "gpu");
      if (until.isBefore(at)) {
        throw new IllegalArgumentException(
            "a GPU must not be asked back for a time that is over, but was at %s for %s, for %s"
                .formatted(at, until, gpu));
      }
    }
  }

  /**
   * Tasks run in the order of a plan from now on, which replaces any other. What of it cannot be,
   * or cannot be any more, is left to the policy, as is every task that it does not name; those run
   * on GPUs on which no planned task is left.
   *
   * @param plan the plan; without sequences to have the policy decide again
   */
  record PlanProposed(Instant at, GpuSequencePlan plan) implements RoundEvent {
    /** Checks that nothing is null. */
    public PlanProposed {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(plan, "plan");
    }
  }

  /** Nothing happened but time passed, such as to a deadline. */
  record TimePassed(Instant at) implements RoundEvent {
    /** Checks that nothing is null. */
    public TimePassed {
      Objects.requireNonNull(at, "at");
    }
  }

  private static void requirePositive(Optional<Duration> computed, TaskRun run) {
    if (computed.isPresent() && !computed.get().isPositive()) {
      throw new IllegalArgumentException(
          "a task must compute for a positive time, but for %s, %s".formatted(computed.get(), run));
    }
  }
}
