package io.github.liquidscheduler.estimator.onnx;

import io.github.liquidscheduler.prediction.ModelLimits;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks through an ONNX file before the runtime sees it, and refuses what could read other files,
 * run without end or fill the memory: tensors kept elsewhere, functions, graphs inside operators,
 * operators that models of this kind do not need, tables of trees that are none, and values that
 * would be too large. Nothing in it is nested deeper than a fixed number of messages.
 */
final class GraphCheck {

  /** The fields from an input down to its dimensions: type, tensor, shape, dimension, size. */
  private static final int[] SHAPE = {2, 1, 2, 1, 1};

  private final Set<String> operators;
  private final TensorSizes sizes;

  private GraphCheck(Collection<String> further, ModelLimits limits) {
    sizes = new TensorSizes(limits);
    operators = new TreeSet<>(TensorSizes.OPERATORS);
    operators.addAll(further);
  }

  /**
   * Checks a model.
   *
   * @param further operators that the model may have besides the usual ones; how large their
   *     results are is not checked
   * @param limits how large values may be in all, and how much may be multiplied
   * @throws IllegalArgumentException if the model is refused, or is no protobuf message
   */
  static void require(byte[] model, Collection<String> further, ModelLimits limits) {
    new GraphCheck(further, limits).readModel(new ProtobufReader(ByteBuffer.wrap(model)));
  }

  private void readModel(ProtobufReader in) {
    while (in.next()) {
      switch (in.field()) {
        case 7 -> readGraph(in);
        case 20 -> throw new IllegalArgumentException("the model brings instructions for training");
        case 25 -> throw new IllegalArgumentException("the model brings functions of its own");
        default -> {}
      }
    }
  }

  /** Constants and inputs may be listed behind the operators that take them. */
  private void readGraph(ProtobufReader model) {
    ProtobufReader values = model.message();
    while (values.next()) {
      switch (values.field()) {
        case 5 -> sizes.add(GraphTensor.read(values.message()));
        case 11 -> readInput(values);
        case 15 -> throw new IllegalArgumentException("the model has a sparse tensor");
        default -> {}
      }
    }
    ProtobufReader nodes = model.message();
    while (nodes.next()) {
      if (nodes.field() == 1) {
        add(GraphNode.read(nodes.message()));
      }
    }
  }

  private void add(GraphNode node) {
    if (!operators.contains(node.operator())) {
      throw new IllegalArgumentException(
          "operator '%s' is none of those that a model may have".formatted(node.operator()));
    }
    TreeTable.require(node);
    sizes.add(node);
  }

  /** Reads an input, of which all dimensions but the first are stated: the batch size is free. */
  private void readInput(ProtobufReader graph) {
    ProtobufReader in = graph.message();
    while (in.next()) {
      if (in.field() == 1) {
        sizes.addInput(in.text(), product(graph.message(), SHAPE));
      }
    }
  }

  /** Multiplies the numbers at the end of a path of fields. */
  private static long product(ProtobufReader in, int[] path) {
    long product = 1;
    while (in.next()) {
      if (in.field() == path[0]) {
        long factor =
            path.length == 1
                ? Math.max(1, in.number())
                : product(in.message(), Arrays.copyOfRange(path, 1, path.length));
        product = Shapes.times(product, factor);
      }
    }
    return product;
  }
}
