package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulatedJob.State;
import io.github.liquidscheduler.simulator.ledger.ClusterLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares the state of a scheduler with what its decisions add up to. */
record InvariantChecker(Scheduler scheduler, ClusterLedger ledger, SimulatedJobs jobs) {

  /**
   * Checks all invariants; O(GPUs and jobs).
   *
   * @throws IllegalStateException if one does not hold
   */
  void check() {
    requireSame("the waiting jobs", jobsThatAre(State.WAITING), scheduler.waiting());
    requireSame("the running jobs", jobsThatAre(State.RUNNING), scheduler.view().runningJobs());
    jobs.inSystem().forEach(this::requireStatus);
    ledger.requireSame(scheduler.view());
    requireNothingStruck();
  }

  /**
   * Checks that nothing runs on what is lost; O(running tasks).
   *
   * @throws IllegalStateException if something does
   */
  void requireNothingStruck() {
    for (SimulatedJob job : jobs.inSystem()) {
      Placement placement = job.placement();
      if (placement != null && ledger.isStruck(placement)) {
        throw new IllegalStateException(
            "no job must run on a lost node or GPU, but one does: " + placement);
      }
    }
  }

  private List<JobId> jobsThatAre(State state) {
    return jobs.inSystem().stream()
        .filter(job -> job.state() == state)
        .map(job -> job.id())
        .sorted()
        .toList();
  }

  private static void requireSame(String what, List<JobId> expected, List<JobId> said) {
    List<JobId> sorted = new ArrayList<>(said);
    sorted.sort(null);
    if (!expected.equals(sorted)) {
      throw new IllegalStateException(
          "every job must be accounted for, but %s are %s by the decisions and %s by the scheduler"
              .formatted(what, expected, sorted));
    }
  }

  private void requireStatus(SimulatedJob job) {
    Optional<JobStatus> said = scheduler.status(job.id());
    boolean same =
        job.isRunning()
            ? said.filter(status -> isAt(job, status)).isPresent()
            : said.filter(JobStatus.Waiting.class::isInstance).isPresent();
    requireStatus(same, job.id(), job.state(), said);
  }

  /**
   * Checks that the scheduler reports a job's outcome, or has forgotten it.
   *
   * @throws IllegalStateException if it does not
   */
  void requireEnded(JobId job, JobStatus.Outcome how) {
    Optional<JobStatus> said = scheduler.status(job);
    boolean same =
        said.isEmpty() || (said.get() instanceof JobStatus.Ended ended && ended.how() == how);
    requireStatus(same, job, how, said);
  }

  private static void requireStatus(
      boolean same, JobId job, Enum<?> state, Optional<JobStatus> said) {
    if (!same) {
      throw new IllegalStateException(
          "every job must be accounted for, but job '%s' is %s and the scheduler says %s"
              .formatted(job, state, said));
    }
  }

  private static boolean isAt(SimulatedJob job, JobStatus status) {
    return switch (status) {
      case JobStatus.Moving moving -> moving.next().equals(job.placement());
      case JobStatus.Starting starting -> starting.placement().equals(job.placement());
      case JobStatus.Launching launching -> launching.placement().equals(job.placement());
      case JobStatus.Running running -> running.placement().equals(job.placement());
      case JobStatus.Resizing resizing -> resizing.next().equals(job.placement());
      default -> false;
    };
  }
}
