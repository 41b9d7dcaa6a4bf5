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

/** The jobs of a run, by their position in the trace and by id. */
final class SimulatedJobs {

  private final List<SimulatedJob> jobs = new ArrayList<>();
  private final Map<JobId, SimulatedJob> byId = new HashMap<>();

  private SimulatedJobs() {}

  static SimulatedJobs of(Simulation options, ClusterTopology topology) {
    Function<TraceJob, JobSpec> submittedAs = options.submittedAs;
    Submission submission =
        new Submission(topology, options.speed, options.durationKnowledge, options.sharing);
    SimulatedJobs table = new SimulatedJobs();
    for (TraceJob job : options.trace.jobs()) {
      JobSpec spec =
          submittedAs == null ? submission.of(job, table.jobs.size()) : submittedAs.apply(job);
      table.add(job, spec, options.speed.work(job));
    }
    return table;
  }

  List<SimulatedJob> all() {
    return Collections.unmodifiableList(jobs);
  }

  SimulatedJob at(int position) {
    return jobs.get(position);
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

  private void add(TraceJob job, JobSpec spec, Duration work) {
    if (!spec.id().value().equals(job.id())) {
      throw new IllegalArgumentException(
          "a job must be submitted under its id in the trace, but was '%s', for %s"
              .formatted(spec.id(), job));
    }
    SimulatedJob simulated = new SimulatedJob(job, spec, jobs.size(), work.toNanos());
    jobs.add(simulated);
    byId.put(spec.id(), simulated);
  }
}
