package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Map;

/** Speeds by Amdahl's law: what more GPUs do not shorten differs by the family of the workload. */
final class AmdahlSpeeds implements PerformancePredictor {

  private final Map<String, Double> serialParts;

  /**
   * Makes the predictor.
   *
   * @param serialParts the part of an iteration on one GPU that more do not shorten, by family
   */
  AmdahlSpeeds(Map<String, Double> serialParts) {
    this.serialParts = Map.copyOf(serialParts);
  }

  @Override
  public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
    double serial = serialParts.getOrDefault(job.workload().family(), 0.0);
    return Prediction.certain(1 / (serial + (1 - serial) / gpus), Provenance.MEASURED);
  }

  @Override
  public void observe(
      JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {
    // The law is not corrected.
  }
}
