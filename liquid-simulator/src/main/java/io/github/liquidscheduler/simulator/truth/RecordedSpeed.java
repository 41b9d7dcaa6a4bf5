package io.github.liquidscheduler.simulator.truth;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;

/** Jobs run for the duration in the trace. */
final class RecordedSpeed implements GroundTruth {

  @Override
  public Duration work(TraceJob job) {
    return job.duration()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a job must have a duration, or a throughput table must tell its speed, but"
                        + " neither was there, for "
                        + job));
  }

  @Override
  public boolean takesAllWithDurations() {
    return true;
  }

  @Override
  public double rate(TraceJob job, Placement placement, ClusterTopology topology) {
    int gpus = placement.gpus();
    return gpus == job.gpus() ? 1 : (double) gpus / job.gpus();
  }
}
