package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.Objects;

/**
 * The ground truth of elastic jobs: work is counted in iterations, done at the rate of the model's
 * curve at the job's number of GPUs. Curves are measured on the fewest possible nodes; on more
 * nodes a job is slower by a factor.
 */
public final class CurveSpeed implements GroundTruth {

  private final ThroughputCurves curves;
  private final double spreadSpeed;

  /**
   * Makes the truth of some curves.
   *
   * @param spreadSpeed how fast a job is on more nodes than it needs, beside on as few as can be;
   *     above 0 and at most 1, where 1 means that placement does not matter
   * @throws IllegalArgumentException if {@code spreadSpeed} is out of range
   */
  public CurveSpeed(ThroughputCurves curves, double spreadSpeed) {
    if (!(spreadSpeed > 0 && spreadSpeed <= 1)) {
      throw new IllegalArgumentException(
          "the speed on more nodes than needed must be above 0 and at most 1, but was "
              + spreadSpeed);
    }
    this.curves = Objects.requireNonNull(curves, "curves");
    this.spreadSpeed = spreadSpeed;
  }

  @Override
  public Duration work(TraceJob job) {
    long iterations =
        job.iterations()
            .orElseThrow(
                () -> new IllegalArgumentException("a job must have iterations, but not " + job));
    double seconds = iterations / iterationsPerSecond(job, job.gpus());
    if (!(seconds <= TraceJob.LONGEST.toSeconds())) {
      throw new IllegalArgumentException(
          "a job must take at most %s, but took %s s, for %s"
              .formatted(TraceJob.LONGEST, seconds, job));
    }
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  @Override
  public double rate(TraceJob job, Placement placement, ClusterTopology topology) {
    return iterationsPerSecond(job, placement.gpus())
        / iterationsPerSecond(job, job.gpus())
        * retainedOn(placement, topology);
  }

  /**
   * Returns the iterations per second on a number of GPUs, on the fewest possible nodes.
   *
   * @throws IllegalArgumentException if there is no curve of its model, or it ends before
   */
  public double iterationsPerSecond(TraceJob job, int gpus) {
    ThroughputCurve curve =
        job.model()
            .flatMap(curves::of)
            .filter(found -> gpus <= found.largest())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a curve must tell the speed on %s, but none does, for %s"
                            .formatted(Count.of(gpus, "GPU"), job)));
    return curve.throughput(gpus);
  }

  /** Returns the speed of a job on these nodes relative to the fewest possible. */
  public double retainedOn(Placement placement, ClusterTopology topology) {
    int largest = 1;
    for (Node node : topology.nodes()) {
      largest = Math.max(largest, node.gpus().size());
    }
    int needed = Math.ceilDiv(placement.gpus(), largest);
    return placement.nodes().size() > needed ? spreadSpeed : 1;
  }
}
