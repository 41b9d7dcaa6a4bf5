package io.github.liquidscheduler.estimator.performance;

import io.github.liquidscheduler.estimator.onnx.BatchScorer;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;

/**
 * Predicts the throughput that the models in an ONNX file tell of the workloads listed there; of
 * others it says nothing. It learns nothing from what is observed.
 *
 * <p>Not thread-safe.
 */
public final class SpeedFile implements PerformancePredictor {
  private static final Prediction UNKNOWN =
      new Prediction(0, 0, Double.POSITIVE_INFINITY, Provenance.DEFAULT);

  /** Throughputs of other clusters are off by about as much: a factor. */
  private static final double SPREAD = 1.5;

  private final ModelFile file;
  private final List<WorkloadKey> workloads;
  private final BatchScorer scorer;
  private final float[] answer = new float[1];

  private SpeedFile(ModelFile file) {
    this.file = file.requires(ThroughputSchema.contract());
    workloads = ThroughputSchema.workloads(file);
    scorer = file.scorer();
  }

  /**
   * Returns the predictor in a file, which it then owns.
   *
   * @throws IllegalArgumentException if the file holds no throughput models
   */
  public static SpeedFile of(ModelFile file) {
    try {
      return new SpeedFile(file);
    } catch (IllegalArgumentException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
    int workload = workloads.indexOf(WorkloadKey.of(job, gpu));
    if (workload < 0) {
      return UNKNOWN;
    }
    double localBatch = WorkloadKey.localBatch(job, gpus);
    float[] row =
        ThroughputSchema.row(workload, WorkloadKey.replicas(gpus, widestLevel), localBatch);
    scorer.score(row, 1, answer);
    double seconds = answer[0];
    return seconds > 0 && seconds < Double.POSITIVE_INFINITY
        ? new Prediction(1 / seconds, 1 / seconds / SPREAD, SPREAD / seconds, Provenance.LEARNED)
        : UNKNOWN;
  }

  @Override
  public void observe(
      JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {
    // A file does not learn; the predictor that asks it does.
  }

  @Override
  public void close() {
    scorer.close();
    file.close();
  }
}
