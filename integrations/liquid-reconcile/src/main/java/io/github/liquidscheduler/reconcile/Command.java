package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import java.time.Duration;
import java.util.Objects;

/** What a manager shall do with a job that the scheduler owns. Doing it twice is doing it once. */
public sealed interface Command {

  /** Returns the job, by the manager's id. */
  JobId job();

  /**
   * Bind a held job to nodes and let it start there.
   *
   * @param attempt the attempt that was observed; the manager refuses another where it can
   * @param placement where each task runs; a manager that cannot choose GPUs takes nodes and counts
   */
  record Start(JobId job, int attempt, Placement placement) implements Command {
    /** Checks that nothing is null. */
    public Start {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(placement, "placement");
    }
  }

  /**
   * Stop a job and take it back into the queue, held.
   *
   * @param attempt the attempt that is to stop; a later one runs on
   * @param grace how long its processes have from now on; zero if they are to stop at once
   */
  record Stop(JobId job, int attempt, Duration grace) implements Command {
    /** Checks that nothing is null. */
    public Stop {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(grace, "grace");
    }
  }

  /** Let a job that does not run wait until it is started. */
  record Hold(JobId job) implements Command {
    /** Checks that nothing is null. */
    public Hold {
      Objects.requireNonNull(job, "job");
    }
  }

  /**
   * Show the user of a waiting job why it waits.
   *
   * @param text for people; empty to show nothing any more
   */
  record Explain(JobId job, String text) implements Command {
    /** Checks that nothing is null. */
    public Explain {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(text, "text");
    }
  }

  /**
   * Tell the user of a held job that it will never be started as it is.
   *
   * @param text why, and what to change
   */
  record Refuse(JobId job, String text) implements Command {
    /** Checks that nothing is null. */
    public Refuse {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(text, "text");
    }
  }

  /**
   * Take a job out of the queue of a manager that has forgotten that it ran.
   *
   * @param text what is known of it, for its user
   */
  record GiveUp(JobId job, String text) implements Command {
    /** Checks that nothing is null. */
    public GiveUp {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(text, "text");
    }
  }
}
