package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.simulator.SimulatedJob.State;
import java.util.Objects;

/** Carries out decisions: moves jobs, books what they hold, and queues when they will end. */
final class Execution {

  private final Simulation options;
  private final ClusterTopology topology;
  private final JobTable jobs;
  private final ClusterLedger ledger;
  private final UsageMeter meter;
  private final EventQueue queue;
  private final PlacementCheck check;
  private final long startOverhead;
  private final long resumeOverhead;
  private final long checkpointInterval;
  private long preemptions;
  private long failures;
  private int ended;

  Execution(
      Simulation options, JobTable jobs, ClusterLedger ledger, UsageMeter meter, EventQueue queue) {
    this.options = options;
    this.jobs = jobs;
    this.ledger = ledger;
    this.meter = meter;
    this.queue = queue;
    topology = options.scheduler().view().topology();
    check = new PlacementCheck(topology);
    startOverhead = options.overheads().start().toNanos();
    resumeOverhead = options.overheads().resume().toNanos();
    checkpointInterval = options.checkpointInterval().toNanos();
  }

  long preemptions() {
    return preemptions;
  }

  long failures() {
    return failures;
  }

  /** Returns the number of jobs that have finished or were rejected. */
  int ended() {
    return ended;
  }

  void submit(SimulatedJob job) {
    job.submit();
    meter.waits(job);
  }

  void finish(SimulatedJob job, long now) {
    Placement placement = placementOf(job);
    ledger.release(placement);
    meter.worked(placement.gpus(), job.worked(now));
    job.finish(now);
    ended++;
  }

  void carryOut(Decision decision, long now) {
    JobId id = decision.job();
    switch (decision) {
      case Decision.Start start -> start(waiting(id), start.placement(), now);
      case Decision.Preempt preempt -> preempt(running(id), now);
      case Decision.Resize resize -> move(running(id), resize.placement(), now);
      case Decision.Migrate migrate -> move(running(id), migrate.placement(), now);
      case Decision.Reject reject -> reject(waiting(id), reject.why().describe());
      case Decision.Prefetch prefetch -> waiting(id);
      case Decision.Reserve reserve -> waiting(id);
    }
  }

  private SimulatedJob waiting(JobId id) {
    return jobs.require(id, State.WAITING);
  }

  private SimulatedJob running(JobId id) {
    return jobs.require(id, State.RUNNING);
  }

  private void start(SimulatedJob job, Placement placement, long now) {
    check.require(job.spec(), placement);
    ledger.take(placement);
    meter.waitsNoMore(job);
    boolean isFirst = job.firstStart() == SimulatedJob.NEVER;
    long worksFrom = VirtualTime.after(now, startOverhead + (isFirst ? 0 : resumeOverhead));
    job.start(now, placement, options.speed().rate(job.job(), placement, topology), worksFrom);
    queue.add(job.end(), Kind.END.key(job.position()));
  }

  private void preempt(SimulatedJob job, long now) {
    if (!stop(job, now)) {
      job.countPreemption();
      preemptions++;
    }
  }

  private void move(SimulatedJob job, Placement placement, long now) {
    stop(job, now);
    start(job, placement, now);
  }

  private void reject(SimulatedJob job, String why) {
    meter.waitsNoMore(job);
    job.reject(why);
    ended++;
  }

  /** Stops a job and returns whether that was because something it ran on has failed. */
  private boolean stop(SimulatedJob job, long now) {
    Placement placement = placementOf(job);
    boolean struck = ledger.isStruck(placement);
    ledger.release(placement);
    long kept = struck ? job.fail(now, checkpointInterval) : job.stop(now);
    meter.worked(placement.gpus(), kept);
    meter.waits(job);
    failures += struck ? 1 : 0;
    return struck;
  }

  private static Placement placementOf(SimulatedJob job) {
    return Objects.requireNonNull(job.placement(), "placement of a running job");
  }
}
