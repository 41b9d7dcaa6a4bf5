package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.json.DecisionsDigest;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationResult.Counts;
import io.github.liquidscheduler.simulator.SimulationResult.Usage;
import io.github.liquidscheduler.simulator.ledger.UsageMeter;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Sums up a run that has ended. */
final class Summary {

  /** Explaining is for people, who read no more than this. */
  private static final int MOST_EXPLAINED = 100;

  private final Scheduler scheduler;
  private final SimulatedJobs jobs;
  private final UsageMeter meter;
  private final long now;
  private int explained;

  Summary(Scheduler scheduler, SimulatedJobs jobs, UsageMeter meter, long now) {
    this.scheduler = scheduler;
    this.jobs = jobs;
    this.meter = meter;
    this.now = now;
  }

  SimulationResult of(Execution execution, long events, DecisionsDigest digest, Promises promises) {
    List<JobFate> fates = new ArrayList<>();
    jobs.all().forEach(job -> fates.add(fate(job)));
    Counts counts = execution.counts(events, digest.decisions());
    return new SimulationResult(
        fates, usage(), promises.counts().map(counts::withPromises).orElse(counts), digest.hex());
  }

  private Usage usage() {
    long start = jobs.at(0).job().submit().toNanos();
    double offered =
        scheduler.view().topology().gpuCount() * VirtualTime.seconds(Math.max(0, now - start));
    return offered == 0
        ? new Usage(0, 0, OptionalDouble.of(0))
        : new Usage(
            meter.heldTime() / offered,
            meter.usefulTime() / offered,
            OptionalDouble.of(meter.fragmentation()));
  }

  private JobFate fate(SimulatedJob job) {
    return switch (job.state()) {
      case FINISHED -> new JobFate.Finished(outcome(job), job.failures());
      case REJECTED -> new JobFate.Rejected(job.job(), job.rejection());
      case TO_COME -> new JobFate.Unfinished(job.job(), "was not yet submitted");
      case RUNNING -> new JobFate.Unfinished(job.job(), "was still running");
      case WAITING -> new JobFate.Unfinished(job.job(), explain(job));
    };
  }

  private String explain(SimulatedJob job) {
    if (++explained > MOST_EXPLAINED) {
      return "was still waiting";
    }
    return "was still waiting: " + scheduler.explain(job.id()).unmetConstraints().get(0).describe();
  }

  private static JobOutcome outcome(SimulatedJob job) {
    return new JobOutcome(
        job.job(),
        VirtualTime.duration(job.firstStart()),
        VirtualTime.duration(job.end()),
        VirtualTime.duration(job.held()),
        job.preemptions());
  }
}
