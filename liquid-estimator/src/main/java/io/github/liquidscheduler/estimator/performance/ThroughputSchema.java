package io.github.liquidscheduler.estimator.performance;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelContract;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import java.util.Collection;
import java.util.List;

/**
 * The schema of a file of throughput models: one row for each question, of the workload's number in
 * the note that lists them and of how it runs; the answer is the seconds of one iteration.
 */
public final class ThroughputSchema {
  private static final String TARGET = "iteration_time";
  private static final String UNIT = "seconds";
  private static final String WORKLOADS = "workloads";

  private static final List<Feature> COLUMNS =
      List.of(
          Feature.index("workload"),
          new Feature("local_batch", "samples", 64, 16),
          new Feature("gpus_beyond_two", "gpus", 8, 2),
          new Feature("within_node", "1", 0.5, 0.125),
          new Feature("across_nodes", "1", 0.5, 0.125));

  private ThroughputSchema() {}

  static ModelContract contract() {
    return new ModelContract(TARGET, UNIT, COLUMNS, 1);
  }

  /**
   * Returns the metadata of a file of models for these workloads, in the order of their numbers.
   */
  public static ModelMetadata metadata(Collection<WorkloadKey> workloads) {
    List<String> lines = workloads.stream().map(WorkloadKey::toLine).toList();
    return ModelMetadata.of(TARGET, UNIT, COLUMNS).withNote(WORKLOADS, String.join("\n", lines));
  }

  static List<WorkloadKey> workloads(ModelFile model) {
    return model.noteLines(WORKLOADS, WorkloadKey::parse);
  }

  /** Returns the numbers of the columns. */
  static float[] row(int workload, Replicas replicas, double localBatch) {
    boolean isAlone = replicas.gpus() == 1;
    boolean isWithin = !isAlone && replicas.nodes() == 1;
    boolean isAcross = !isAlone && replicas.nodes() > 1;
    return new float[] {
      workload,
      (float) localBatch,
      Math.max(0, replicas.gpus() - 2),
      isWithin ? 1 : 0,
      isAcross ? 1 : 0
    };
  }
}
