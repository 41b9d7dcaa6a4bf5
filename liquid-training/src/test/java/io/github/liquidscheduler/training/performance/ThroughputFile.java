package io.github.liquidscheduler.training.performance;

import io.github.liquidscheduler.estimator.performance.ThroughputSchema;
import io.github.liquidscheduler.estimator.performance.WorkloadKey;
import io.github.liquidscheduler.prediction.ThroughputModel;
import io.github.liquidscheduler.prediction.ThroughputModel.Line;
import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.List;
import java.util.Map;

/**
 * Writes throughput models as an ONNX file: a table of their parameters, and the formula.
 *
 * <p>Single precision has to do, so both times are divided by their sum before they are raised to
 * gamma; else short times would vanish.
 */
public final class ThroughputFile {
  private static final int PARAMETERS = 8;

  private final OnnxGraph graph = new OnnxGraph(5);
  private final GraphValue parameters;

  private ThroughputFile(float[] table) {
    parameters = graph.embedding(graph.columns(graph.input(), 0, 1), table, PARAMETERS);
  }

  /**
   * Returns the file. Its workloads have the order of the map.
   *
   * @throws IllegalArgumentException if there is no model
   */
  public static byte[] of(Map<WorkloadKey, ThroughputModel> models) {
    if (models.isEmpty()) {
      throw new IllegalArgumentException("a file needs at least one throughput model");
    }
    float[] table = new float[models.size() * PARAMETERS];
    int at = 0;
    for (ThroughputModel model : models.values()) {
      for (double parameter : row(model)) {
        table[at++] = (float) parameter;
      }
    }
    ThroughputFile file = new ThroughputFile(table);
    return file.graph.toBytes(
        file.seconds(), ThroughputSchema.metadata(List.copyOf(models.keySet())));
  }

  private static double[] row(ThroughputModel model) {
    Line computing = model.computing();
    Line within = model.withinNode();
    Line across = model.acrossNodes();
    return new double[] {
      computing.constant(),
      computing.slope(),
      within.constant(),
      within.slope(),
      across.constant(),
      across.slope(),
      model.gamma(),
      1 / model.gamma()
    };
  }

  private GraphValue seconds() {
    GraphValue batch = graph.relu(column(graph.input(), 1));
    GraphValue further = graph.relu(column(graph.input(), 2));
    GraphValue computed = line(0, batch);
    GraphValue within = graph.product(graph.relu(column(graph.input(), 3)), line(2, further));
    GraphValue across = graph.product(graph.relu(column(graph.input(), 4)), line(4, further));
    GraphValue synchronised = graph.sum(within, across);
    GraphValue both = graph.sum(computed, synchronised);
    GraphValue norm = graph.sum(raised(computed, both), raised(synchronised, both));
    return graph.product(both, graph.power(norm, parameter(7)));
  }

  private GraphValue raised(GraphValue part, GraphValue whole) {
    return graph.power(graph.quotient(part, whole), parameter(6));
  }

  private GraphValue line(int first, GraphValue at) {
    return graph.sum(parameter(first), graph.product(parameter(first + 1), at));
  }

  private GraphValue parameter(int number) {
    return column(parameters, number);
  }

  private GraphValue column(GraphValue value, int number) {
    return graph.columns(value, number, number + 1);
  }
}
