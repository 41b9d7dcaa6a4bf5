package io.github.liquidscheduler.simulator.truth;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;

/**
 * Predicts exactly the values of a throughput table, by the job's workload and number of GPUs;
 * nothing for unknown jobs. Learns nothing.
 */
public final class KnownSpeeds implements PerformancePredictor {

  private static final Prediction UNKNOWN =
      new Prediction(0, 0, Double.POSITIVE_INFINITY, Provenance.DEFAULT);

  private final ThroughputTable table;

  /** Makes the predictor of a table. */
  public KnownSpeeds(ThroughputTable table) {
    this.table = table;
  }

  @Override
  public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
    boolean isSpread = gpus > 1 && !widestLevel.equals(ClusterTopology.NODE);
    double speed = table.speed(model(job.workload()), gpus, gpu, isSpread);
    return speed > 0 ? Prediction.certain(speed, Provenance.MEASURED) : UNKNOWN;
  }

  private static String model(Workload workload) {
    String family = workload.family();
    return workload.batchSize().isEmpty()
        ? family
        : "%s (batch size %d)".formatted(family, workload.batchSize().getAsInt());
  }

  @Override
  public void observe(
      JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {
    // What is known is not corrected.
  }
}
