package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;

/**
 * What became of an elastic job. Times are seconds from the start of the trace.
 *
 * @param job the job
 * @param firstStart when it first got GPUs
 * @param end when it finished
 * @param running how long it held GPUs
 * @param gpuSeconds the GPUs it held, by how long it held them
 * @param usefulGpuSeconds the same without pauses
 * @param preemptions how often it lost all its GPUs
 */
public record FinishedJob(
    ElasticJob job,
    double firstStart,
    double end,
    double running,
    double gpuSeconds,
    double usefulGpuSeconds,
    int preemptions) {

  private static final double NANOS = 1e9;

  static FinishedJob of(ElasticJobState state) {
    return new FinishedJob(
        state.job(),
        state.firstStart(),
        state.end(),
        state.held(),
        state.attainedService(),
        state.usefulService(),
        state.preemptions());
  }

  /** Returns the seconds from arrival to end (JCT). */
  public double completion() {
    return end - job.arrival();
  }

  /** Returns the same to the nanosecond. */
  public JobOutcome outcome() {
    TraceJob submitted =
        TraceJob.builder(Long.toString(job.id()))
            .submit(Duration.ofSeconds(job.arrival()))
            .gpus(job.sizes().submitted())
            .model(job.work().model())
            .iterations(job.work().iterations())
            .build();
    Duration first = nanos(Math.max(firstStart, (double) job.arrival()));
    Duration last = nanos(end);
    Duration held = nanos(running);
    Duration most = last.minus(first);
    return new JobOutcome(
        submitted, first, last, held.compareTo(most) < 0 ? held : most, preemptions);
  }

  private static Duration nanos(double seconds) {
    long whole = (long) seconds;
    return Duration.ofSeconds(whole, Math.round((seconds - whole) * NANOS));
  }
}
