package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.simulator.SimulationResult.Counts;
import io.github.liquidscheduler.simulator.SimulationResult.Usage;
import io.github.liquidscheduler.simulator.metrics.JctTally;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ObjIntConsumer;

/** Passes on what becomes of each job, and sums up; of finished ones only times are kept. */
final class Departures {

  private record At<F>(int position, F fate) {}

  private final ObjIntConsumer<JobFate> sink;
  private final JctTally finished = new JctTally();
  private final List<At<JobFate.Rejected>> rejected = new ArrayList<>();
  private final List<JobFate.Unfinished> unfinished = new ArrayList<>();

  /** Passes on what became of the job at a position of the trace. */
  Departures(ObjIntConsumer<JobFate> sink) {
    this.sink = sink;
  }

  /** Returns the number of jobs that finished or were rejected. */
  int ended() {
    return finished.jobs() + rejected.size();
  }

  void finish(SimulatedJob job) {
    JobOutcome outcome =
        new JobOutcome(
            job.job(),
            VirtualTime.duration(job.firstStart()),
            VirtualTime.duration(job.end()),
            VirtualTime.duration(job.held()),
            job.preemptions());
    finished.add(outcome);
    sink.accept(new JobFate.Finished(outcome, job.failures()), job.position());
  }

  void reject(SimulatedJob job, String why) {
    JobFate.Rejected fate = new JobFate.Rejected(job.job(), why);
    rejected.add(new At<>(job.position(), fate));
    sink.accept(fate, job.position());
  }

  /** Records an unfinished job; to be called in the order of the trace. */
  void leaveOver(int position, JobFate.Unfinished fate) {
    unfinished.add(fate);
    sink.accept(fate, position);
  }

  /** Returns the summary. */
  RunSummary summary(Usage usage, Counts counts, String decisionsDigest) {
    return new RunSummary(
        finished.jobs(),
        rejected.stream().sorted(Comparator.comparingInt(At::position)).map(At::fate).toList(),
        unfinished,
        finished.statistics(),
        usage,
        counts,
        decisionsDigest);
  }
}
