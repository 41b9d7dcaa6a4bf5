package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.List;

/**
 * How much work arrives.
 *
 * @param fraction GPU time of the jobs under exclusive placement, as a fraction of the cluster's
 *     while they arrive
 * @param gpus the GPUs of the cluster
 */
public record OfferedLoad(double fraction, int gpus) {

  /**
   * Returns the first jobs of a trace that run by the table, with arrival times scaled to this
   * load.
   *
   * @param most how many jobs at the most
   * @param gpusEach the most GPUs of a job
   * @throws IllegalArgumentException if there is no such job
   */
  public Trace of(Trace trace, ThroughputTable truth, int most, int gpusEach) {
    List<TraceJob> jobs =
        trace.jobs().stream()
            .filter(job -> truth.knows(job) && job.gpus() <= gpusEach)
            .limit(most)
            .toList();
    if (jobs.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: no job has a throughput in %s and fits %s"
              .formatted(trace.source(), truth.source(), Count.of(gpusEach, "GPU")));
    }
    double work =
        jobs.stream().mapToDouble(job -> job.gpus() * (double) truth.work(job).toSeconds()).sum();
    double span = work / (fraction * gpus);
    double last = jobs.getLast().submit().toSeconds();
    double factor = last == 0 ? 1 : span / last;
    return Trace.of(trace.source(), jobs.stream().map(job -> scaled(job, factor)).toList());
  }

  private static TraceJob scaled(TraceJob job, double factor) {
    return job.toBuilder()
        .submit(Duration.ofMillis(Math.round(job.submit().toMillis() * factor)))
        .build();
  }
}
