package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.lab.reference.ReferenceRun;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.SimulationResult.PromiseCounts;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What came of a simulation of backfill.
 *
 * @param run what became of the jobs
 * @param promises how many jobs held a reservation that began later than it was given
 * @param promisesKept how many of these started no later than they were first promised
 */
public record BackfillRun(ReferenceRun run, int promises, int promisesKept) {

  /** Checks that nothing is null. */
  public BackfillRun {
    Objects.requireNonNull(run, "run");
  }

  /** Returns the run in the form of a simulation. */
  public SimulationResult result() {
    SimulationResult result = run.result();
    SimulationResult.Counts counts = result.counts();
    return new SimulationResult(
        result.fates(),
        result.usage(),
        new SimulationResult.Counts(
            counts.preemptions(),
            counts.failures(),
            counts.outOfMemory(),
            counts.events(),
            counts.decisions(),
            counts.sizes(),
            Optional.of(new PromiseCounts(promises, promisesKept)),
            counts.launches()),
        result.decisionsDigest());
  }

  static BackfillRun of(String policy, int gpus, List<BackfillJob> jobs, String digest) {
    return new BackfillRun(
        new ReferenceRun(policy, gpus, jobs.stream().map(BackfillJob::outcome).toList(), digest),
        (int) jobs.stream().filter(BackfillJob::isPromised).count(),
        (int) jobs.stream().filter(BackfillJob::isPromiseKept).count());
  }
}
