package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The state of a submitted job. */
public sealed interface JobStatus {

  /**
   * The job waits for capacity or its turn.
   *
   * @param since when it was submitted or last stopped
   */
  record Waiting(Instant since) implements JobStatus {
    /** Checks that nothing is null. */
    public Waiting {
      Objects.requireNonNull(since, "since");
    }
  }

  /**
   * The job is promised GPUs that others have not left yet. It has no processes: if it is
   * pre-empted or cancelled, there is nothing to stop. It runs, or is {@linkplain Launching
   * launching}, from the event on in which the last of the others is reported as stopped, or its
   * grace period is over.
   *
   * @param since when its start was decided
   * @param placement where it will run
   * @param after the jobs that still hold some of it, by id
   */
  record Starting(Instant since, Placement placement, List<JobId> after) implements JobStatus {
    /** Checks that nothing is null. */
    public Starting {
      Objects.requireNonNull(since, "since");
      Objects.requireNonNull(placement, "placement");
      after = List.copyOf(after);
    }
  }

  /**
   * The job is to be started on GPUs that are free for it, and nobody has {@linkplain
   * ClusterEvent.JobStarted reported} yet that it runs. Only schedulers to which starts are
   * reported have such jobs. It may have processes: if it is pre-empted or cancelled, it stops as a
   * running one.
   *
   * @param since when it could be started
   * @param placement where
   */
  record Launching(Instant since, Placement placement) implements JobStatus {
    /** Checks that nothing is null. */
    public Launching {
      Objects.requireNonNull(since, "since");
      Objects.requireNonNull(placement, "placement");
    }
  }

  /**
   * The job runs.
   *
   * @param since when it last started; where starts are reported, when it began to run
   * @param placement where
   */
  record Running(Instant since, Placement placement) implements JobStatus {
    /** Checks that nothing is null. */
    public Running {
      Objects.requireNonNull(since, "since");
      Objects.requireNonNull(placement, "placement");
    }
  }

  /**
   * The job runs and is being {@linkplain Decision.Resize resized}.
   *
   * @param since when it last started
   * @param placement where it runs now
   * @param next where it will run once it has switched
   * @param number which resize of the job this is, from 1
   * @param after the jobs that its new workers still wait for, by id
   */
  record Resizing(
      Instant since, Placement placement, Placement next, long number, List<JobId> after)
      implements JobStatus {
    /** Copies the jobs. */
    public Resizing {
      Objects.requireNonNull(since, "since");
      Objects.requireNonNull(placement, "placement");
      Objects.requireNonNull(next, "next");
      after = List.copyOf(after);
    }
  }

  /**
   * The job runs and is to be {@linkplain Decision.Migrate moved} once others have left. It moves
   * with the event in which the last of them is reported as stopped, or its grace period is over.
   *
   * @param since when it last started
   * @param placement where it runs now
   * @param next where it will run once it has moved
   * @param after the jobs that still hold some of that, by id
   */
  record Moving(Instant since, Placement placement, Placement next, List<JobId> after)
      implements JobStatus {
    /** Copies the jobs. */
    public Moving {
      Objects.requireNonNull(since, "since");
      Objects.requireNonNull(placement, "placement");
      Objects.requireNonNull(next, "next");
      after = List.copyOf(after);
    }
  }

  /**
   * The job was pre-empted and has a grace period to stop. It waits already, but is not started
   * again before it has left its GPUs.
   *
   * @param since when it was pre-empted
   * @param until the end of its grace period
   * @param placement where it still runs
   */
  record Stopping(Instant since, Instant until, Placement placement) implements JobStatus {
    /** Checks that nothing is null. */
    public Stopping {
      Objects.requireNonNull(since, "since");
      Objects.requireNonNull(until, "until");
      Objects.requireNonNull(placement, "placement");
    }
  }

  /**
   * The job is over.
   *
   * @param why why the scheduler {@linkplain Decision.Reject rejected} it, for people; empty if it
   *     did not
   */
  record Ended(Outcome how, Optional<String> why) implements JobStatus {
    /** Checks that nothing is null. */
    public Ended {
      Objects.requireNonNull(how, "how");
      Objects.requireNonNull(why, "why");
    }

    /** Makes the state of a job that the scheduler did not reject. */
    public Ended(Outcome how) {
      this(how, Optional.empty());
    }
  }

  /** The outcome of a job. */
  enum Outcome {
    /** It did its work. */
    FINISHED,
    /** It failed and was not to be retried. */
    FAILED,
    /** Its user took it back. */
    CANCELLED,
    /** It could never have run on this cluster. */
    REJECTED
  }
}
