package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Objects;
import java.util.Optional;

/**
 * Predicts the curves' throughput by model name; reduced where a job that fits on one node is
 * spread. Without a curve, and beyond its end, speed is proportional to GPUs and then constant.
 * Learns nothing.
 */
public final class CurvePredictor implements PerformancePredictor {

  private final ThroughputCurves curves;
  private final double spreadSpeed;
  private final int gpusPerNode;

  /**
   * Makes the predictor of some curves.
   *
   * @param spreadSpeed how fast a job is on more nodes than it needs, beside on as few as can be;
   *     above 0 and at most 1
   * @param gpusPerNode the GPUs of the largest node, at least 1
   */
  public CurvePredictor(ThroughputCurves curves, double spreadSpeed, int gpusPerNode) {
    this.curves = Objects.requireNonNull(curves, "curves");
    this.spreadSpeed = spreadSpeed;
    this.gpusPerNode = gpusPerNode;
  }

  @Override
  public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
    boolean isSpread = gpus <= gpusPerNode && !widestLevel.equals(ClusterTopology.NODE);
    double retained = isSpread ? spreadSpeed : 1;
    Optional<ThroughputCurve> curve = curves.of(job.workload().family());
    return curve
        .map(
            known ->
                Prediction.certain(
                    retained * known.throughput(Math.min(gpus, known.largest())),
                    Provenance.MEASURED))
        .orElseGet(() -> Prediction.certain(retained * gpus, Provenance.DEFAULT));
  }

  @Override
  public void observe(
      JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {
    // What is measured already is not corrected.
  }
}
