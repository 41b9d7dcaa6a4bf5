package io.github.liquidscheduler.rounds;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import java.util.Objects;

/**
 * Something the embedder shall do in a round pool. The scheduler takes each decision as carried out
 * at once; what could not be carried out is reported as {@link RoundEvent.TaskFailed}.
 */
public sealed interface RoundDecision {

  /** Run a task on its GPU, on which no other computes; others may still synchronize. */
  record RunTask(TaskRun run, Why why) implements RoundDecision {
    /** Checks that nothing is null. */
    public RunTask {
      Objects.requireNonNull(run, "run");
      Objects.requireNonNull(why, "why");
    }
  }

  /** Stop a task, which needs no report any more, before the {@link GiveBack} of its GPU. */
  record StopTask(TaskRun run, StopCause why) implements RoundDecision {
    /** Checks that nothing is null. */
    public StopTask {
      Objects.requireNonNull(run, "run");
      Objects.requireNonNull(why, "why");
    }
  }

  /** Why a task is stopped. */
  enum StopCause {
    /** Its job was cancelled. */
    CANCELLED,
    /** Its GPU has to be given back by now; the task runs again. */
    ASKED_BACK
  }

  /** Give back a GPU that was asked back; nothing runs on it, and it leaves the pool. */
  record GiveBack(GpuId gpu) implements RoundDecision {
    /** Checks that nothing is null. */
    public GiveBack {
      Objects.requireNonNull(gpu, "gpu");
    }
  }

  /** Tell the user that the job is done: all tasks of all rounds have synchronized. */
  record Complete(JobId job) implements RoundDecision {
    /** Checks that nothing is null. */
    public Complete {
      Objects.requireNonNull(job, "job");
    }
  }

  /** Why a task runs now. */
  sealed interface Why {

    /** It is the next in the sequence that a plan gives its GPU. */
    record Planned() implements Why {}

    /**
     * The policy had it go first.
     *
     * @param policy the name of the policy
     * @param rank what the policy orders jobs by, lowest first: a class, or seconds
     * @param affinity how fast the task is on this GPU beside the fastest of the pool, at most 1
     */
    record Ranked(String policy, double rank, double affinity) implements Why {}
  }
}
