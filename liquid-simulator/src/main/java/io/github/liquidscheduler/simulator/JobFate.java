package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.Objects;

/** The outcome of one job of the trace. */
public sealed interface JobFate {

  /** Returns the job. */
  TraceJob job();

  /**
   * The job did its work.
   *
   * @param outcome when, and how long it took
   * @param failures how often it was stopped because a node or GPU failed
   */
  record Finished(JobOutcome outcome, int failures) implements JobFate {
    /** Checks that nothing is null. */
    public Finished {
      Objects.requireNonNull(outcome, "outcome");
    }

    @Override
    public TraceJob job() {
      return outcome.job();
    }
  }

  /**
   * The scheduler found that the job could never run.
   *
   * @param job the job
   * @param why what it asked that the cluster does not have
   */
  record Rejected(TraceJob job, String why) implements JobFate {
    /** Checks that nothing is null. */
    public Rejected {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(why, "why");
    }
  }

  /**
   * The job was neither finished nor rejected when the simulation ended.
   *
   * @param job the job
   * @param why what kept it from finishing
   */
  record Unfinished(TraceJob job, String why) implements JobFate {
    /** Checks that nothing is null. */
    public Unfinished {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(why, "why");
    }
  }
}
