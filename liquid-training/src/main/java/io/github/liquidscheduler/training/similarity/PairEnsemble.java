package io.github.liquidscheduler.training.similarity;

import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.estimator.workload.SimilaritySchema;
import io.github.liquidscheduler.training.neural.TrainingPlan;
import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.ArrayList;
import java.util.List;

/** Networks that differ in their seed only; their mean predicts better than each of them. */
public final class PairEnsemble implements PairPredictor {
  private static final TrainingPlan PLAN = new TrainingPlan(200, 2000, 64, 5e-3);

  private final List<NeuMf> members;

  private PairEnsemble(List<NeuMf> members) {
    this.members = members;
  }

  /** Trains an ensemble of the usual number of networks. */
  public static PairEnsemble trained(PairTable table, List<PairTable.Entry> entries, long seed) {
    return trained(table, entries, seed, SimilaritySchema.MEMBERS);
  }

  /** Trains an ensemble of this number of networks, at least 1. */
  public static PairEnsemble trained(
      PairTable table, List<PairTable.Entry> entries, long seed, int networks) {
    List<NeuMf> members = new ArrayList<>();
    for (int member = 0; member < networks; member++) {
      members.add(NeuMf.trained(table, entries, PLAN, seed + member));
    }
    return new PairEnsemble(members);
  }

  @Override
  public double predict(int victim, int aggressor, int gpu) {
    double sum = 0;
    for (NeuMf member : members) {
      sum += member.predict(victim, aggressor, gpu);
    }
    return sum / members.size();
  }

  byte[] toBytes(ModelMetadata metadata) {
    OnnxGraph graph = new OnnxGraph(2);
    List<GraphValue> outputs = members.stream().map(member -> member.exportTo(graph)).toList();
    return graph.toBytes(graph.concatenated(outputs), metadata);
  }
}
