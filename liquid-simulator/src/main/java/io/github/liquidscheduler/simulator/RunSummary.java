package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.simulator.SimulationResult.Counts;
import io.github.liquidscheduler.simulator.SimulationResult.Usage;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of a simulation without its finished jobs, which a long run passes on one by one.
 *
 * @param finished the number of finished jobs
 * @param rejected the jobs that could never run, in the order of the trace
 * @param unfinished the jobs left when the simulation ended, in the order of the trace
 * @param statistics completion times, queueing times and makespan, or empty if no job finished
 * @param usage the use of the GPUs
 * @param counts the counts
 * @param decisionsDigest the SHA-256, in hexadecimal, of all decisions and their times: equal for
 *     equal decisions, on every machine
 */
public record RunSummary(
    int finished,
    List<JobFate.Rejected> rejected,
    List<JobFate.Unfinished> unfinished,
    Optional<JctStatistics> statistics,
    Usage usage,
    Counts counts,
    String decisionsDigest) {

  /** Copies the lists, and checks that nothing is null. */
  public RunSummary {
    rejected = List.copyOf(rejected);
    unfinished = List.copyOf(unfinished);
    Objects.requireNonNull(statistics, "statistics");
    Objects.requireNonNull(usage, "usage");
    Objects.requireNonNull(counts, "counts");
    Objects.requireNonNull(decisionsDigest, "decisionsDigest");
  }

  /** Returns the number of jobs. */
  public int jobs() {
    return finished + rejected.size() + unfinished.size();
  }
}
