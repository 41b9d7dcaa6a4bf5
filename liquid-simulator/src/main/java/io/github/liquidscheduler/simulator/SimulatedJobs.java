package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.simulator.SimulatedJob.State;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The jobs of a run, by their position in the trace and by id. A job is described to the scheduler
 * when it is submitted, so that memory grows with the jobs in the system and little with the trace.
 */
final class SimulatedJobs {

  private final List<SimulatedJob> jobs = new ArrayList<>();
  private final Map<JobId, SimulatedJob> byId = new HashMap<>();
  private final Function<SimulatedJob, JobSpec> description;
  private final boolean elastic;

  private SimulatedJobs(Function<SimulatedJob, JobSpec> description, boolean elastic) {
    this.description = description;
    this.elastic = elastic;
  }

  static SimulatedJobs of(Simulation options, ClusterTopology topology) {
    Function<TraceJob, JobSpec> submittedAs = options.submittedAs;
    Submission submission = new Submission(options, topology);
    SimulatedJobs table =
        new SimulatedJobs(
            job -> submittedAs == null ? submission.of(job) : submittedAs.apply(job.job()),
            options.elastic != null);
    for (TraceJob job : options.trace.jobs()) {
      table.add(job, options.speed.work(job));
      if (submittedAs == null) {
        submission.requireUsable(job);
      }
    }
    return table;
  }

  List<SimulatedJob> all() {
    return Collections.unmodifiableList(jobs);
  }

  SimulatedJob at(int position) {
    return jobs.get(position);
  }

  /** Returns the job as the scheduler gets to see it. */
  JobSpec describe(SimulatedJob job) {
    JobSpec spec = description.apply(job);
    if (!spec.id().equals(job.id())) {
      throw new IllegalArgumentException(
          "a job must be submitted under its id in the trace, but was '%s', for %s"
              .formatted(spec.id(), job.job()));
    }
    if (!elastic && spec.parallelism().isElastic()) {
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
              .formatted(state, id, job == null ? "unknown" : job.state()));
    }
    return job;
  }

  private void add(TraceJob job, Duration work) {
    SimulatedJob simulated = new SimulatedJob(job, jobs.size(), work.toNanos());
    jobs.add(simulated);
    byId.put(simulated.id(), simulated);
  }
}
