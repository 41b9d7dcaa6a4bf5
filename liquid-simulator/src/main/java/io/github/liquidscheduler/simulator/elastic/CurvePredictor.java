package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.reference.elastic.ThroughputCurves;
import io.github.liquidscheduler.simulator.reference.elastic.sizing.ThroughputCurve;
import java.util.Objects;
import java.util.Optional;

/**
 * Predicts what the curves say, by the name of the model, on as few nodes as can be. Of a model
 * without a curve, and beyond the end of one, it says that speed is in proportion to the GPUs and
 * stays as it is. Learns nothing.
 */
public final class CurvePredictor implements PerformancePredictor {

  private final ThroughputCurves curves;

  /** Makes the predictor of some curves. */
  public CurvePredictor(ThroughputCurves curves) {
    this.curves = Objects.requireNonNull(curves, "curves");
  }

  @Override
  public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
    Optional<ThroughputCurve> curve = curves.of(job.workload().family());
    return curve
        .map(
            known ->
                Prediction.certain(
                    known.throughput(Math.min(gpus, known.largest())), Provenance.MEASURED))
        .orElseGet(() -> Prediction.certain(gpus, Provenance.DEFAULT));
  }

  @Override
  public void observe(
      JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {
    // What is measured already is not corrected.
  }
}
