package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.simulator.SimulatedJob.State;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The jobs that are in the system, by id and in the order of the trace; no others are held. */
final class SimulatedJobs {

  private final Map<JobId, SimulatedJob> byId = new LinkedHashMap<>();
  private final Simulation options;
  private final Submission submission;
  private int arrived;

  SimulatedJobs(Simulation options, ClusterTopology topology) {
    this.options = options;
    submission = new Submission(options, topology);
  }

  /**
   * Checks that a job of the trace can be simulated.
   *
   * @throws IllegalArgumentException if the trace does not tell its work, or there is no GPU model
   *     that it can use
   */
  void requireUsable(TraceJob job) {
    options.speed.work(job);
    if (options.submittedAs == null) {
      submission.requireUsable(job);
    }
  }

  /** Returns the waiting and running jobs in the order of the trace. */
  Collection<SimulatedJob> inSystem() {
    return Collections.unmodifiableCollection(byId.values());
  }

  /** Lets the next job of the trace come into the system. */
  SimulatedJob arrive(TraceJob job) {
    SimulatedJob simulated = new SimulatedJob(job, arrived++, options.speed.work(job).toNanos());
    if (byId.putIfAbsent(simulated.id(), simulated) != null) {
      throw new IllegalArgumentException(
          "a job id must come once, but that of %s is one of a job in the system".formatted(job));
    }
    return simulated;
  }

  /** Forgets a job that has left the system. */
  void leave(SimulatedJob job) {
    byId.remove(job.id());
  }

  /** Returns the job as the scheduler gets to see it. */
  JobSpec describe(SimulatedJob job) {
    JobSpec spec =
        options.submittedAs == null ? submission.of(job) : options.submittedAs.apply(job.job());
    if (!spec.id().equals(job.id())) {
      throw new IllegalArgumentException(
          "a job must be submitted under its id in the trace, but was '%s', for %s"
              .formatted(spec.id(), job.job()));
    }
    if (options.elastic == null && spec.parallelism().isElastic()) {
      throw new IllegalArgumentException(
          "a simulated job must have one size, but may have %s, for %s"
              .formatted(spec.parallelism().allowedSizes(), job.job()));
    }
    return spec;
  }

  /**
   * Returns the job a decision is about.
   *
   * @throws IllegalStateException if there is none, or it is in another state
   */
  SimulatedJob require(JobId id, State state) {
    SimulatedJob job = byId.get(id);
    if (job == null || job.state() != state) {
      throw new IllegalStateException(
          "a decision must be about a job that is %s, but '%s' is %s"
              .formatted(state, id, job == null ? "not in the system" : job.state()));
    }
    return job;
  }
}
