package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.Objects;

/** The outcome of one job of the trace. */
public sealed interface JobFate {

  /** Returns the job. */
  TraceJob job();

  /** The job did its work, after {@code failures} stops because a node or GPU failed. */
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

  /** The job asked for what the cluster does not have, as {@code why} says. */
  record Rejected(TraceJob job, String why) implements JobFate {
    /** Checks that nothing is null. */
    public Rejected {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(why, "why");
    }
  }

  /** The job was neither finished nor rejected at the end, for the reason {@code why}. */
  record Unfinished(TraceJob job, String why) implements JobFate {
    /** Checks that nothing is null. */
    public Unfinished {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(why, "why");
    }
  }
}
