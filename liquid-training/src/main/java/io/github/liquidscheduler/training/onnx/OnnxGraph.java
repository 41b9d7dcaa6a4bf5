package io.github.liquidscheduler.training.onnx;

import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.text.Count;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds an ONNX model, operation by operation, and writes it as a file (IR version 8, opset 17).
 * The graph has one input of float rows and one output of float rows, the batch size is free, and
 * everything in between is made by the methods here: each takes values and returns the value it
 * computes. The same calls give the same bytes.
 *
 * <p>Not thread-safe.
 */
public final class OnnxGraph {
  private static final int INT64 = 7;
  private static final int IR_VERSION = 8;
  private static final int OPERATOR_SET = 17;
  private static final String TREE_DOMAIN = "ai.onnx.ml";
  private static final int TREE_OPERATOR_SET = 3;

  private final List<ProtobufWriter> nodes = new ArrayList<>();
  private final List<ProtobufWriter> initializers = new ArrayList<>();
  private final GraphValue input;
  private int names;

  /** Starts a graph whose input is rows of {@code width} features. */
  public OnnxGraph(int width) {
    input = new GraphValue("features", width);
  }

  /** Returns the input: the rows to score. */
  public GraphValue input() {
    return input;
  }

  /**
   * Returns {@code (value - mean) / scale}, column by column, limited to {@code ±limit} so that a
   * row far outside the training data is treated like its edge.
   */
  public GraphValue standardized(GraphValue value, float[] mean, float[] scale, float limit) {
    requireLength(mean, value.width());
    requireLength(scale, value.width());
    GraphValue centred = binary("Sub", value, constant(mean, mean.length));
    GraphValue scaled = binary("Div", centred, constant(scale, scale.length));
    return operation(
        "Clip", value.width(), NodeAttributes.none(), scaled.name(), scalar(-limit), scalar(limit));
  }

  /** Returns {@code value · weightsᵀ + bias}; weights have a row for each output column. */
  public GraphValue dense(GraphValue value, float[] weights, float[] bias) {
    requireLength(weights, value.width() * bias.length);
    return operation(
        "Gemm",
        bias.length,
        NodeAttributes.none().number("transB", 1),
        value.name(),
        constant(weights, bias.length, value.width()),
        constant(bias, bias.length));
  }

  /** Returns {@code max(0, value)}. */
  public GraphValue relu(GraphValue value) {
    return operation("Relu", value.width(), NodeAttributes.none(), value.name());
  }

  /** Returns {@code 1 / (1 + exp(-value))}. */
  public GraphValue sigmoid(GraphValue value) {
    return operation("Sigmoid", value.width(), NodeAttributes.none(), value.name());
  }

  /** Returns the sum, column by column. */
  public GraphValue sum(GraphValue left, GraphValue right) {
    return binary("Add", left, sameWidth(left, right));
  }

  /** Returns the difference, column by column. */
  public GraphValue difference(GraphValue left, GraphValue right) {
    return binary("Sub", left, sameWidth(left, right));
  }

  /** Returns the product, column by column. */
  public GraphValue product(GraphValue left, GraphValue right) {
    return binary("Mul", left, sameWidth(left, right));
  }

  /** Returns the quotient, column by column. */
  public GraphValue quotient(GraphValue left, GraphValue right) {
    return binary("Div", left, sameWidth(left, right));
  }

  /** Returns the left value to the power of the right one, column by column. */
  public GraphValue power(GraphValue base, GraphValue exponent) {
    return binary("Pow", base, sameWidth(base, exponent));
  }

  /** Returns the sum of all columns, as one column. */
  public GraphValue total(GraphValue value) {
    float[] ones = new float[value.width()];
    Arrays.fill(ones, 1);
    return dense(value, ones, new float[1]);
  }

  /** Returns the columns side by side. */
  public GraphValue concatenated(List<GraphValue> values) {
    int width = values.stream().mapToInt(GraphValue::width).sum();
    String[] inputs = values.stream().map(GraphValue::name).toArray(String[]::new);
    return operation("Concat", width, NodeAttributes.none().number("axis", 1), inputs);
  }

  /** Returns the columns {@code from} to {@code to}, the latter excluded. */
  public GraphValue columns(GraphValue value, int from, int to) {
    if (from < 0 || to > value.width() || from >= to) {
      throw new IllegalArgumentException(
          "columns must lie within 0 to " + value.width() + ", but were " + from + " to " + to);
    }
    return operation(
        "Slice",
        to - from,
        NodeAttributes.none(),
        value.name(),
        integer(from),
        integer(to),
        integer(1));
  }

  /**
   * Returns, for each row, the row of {@code width} numbers of {@code table} whose number stands in
   * the one column of {@code index}.
   */
  public GraphValue embedding(GraphValue index, float[] table, int width) {
    if (index.width() != 1 || table.length % width != 0) {
      throw new IllegalArgumentException(
          "an embedding needs one index column and whole rows of %d, but had %s and %s"
              .formatted(
                  width, Count.of(index.width(), "column"), Count.of(table.length, "number")));
    }
    NodeAttributes toInteger = NodeAttributes.none().number("to", INT64);
    GraphValue number = operation("Cast", 1, toInteger, index.name());
    GraphValue flat = operation("Squeeze", 1, NodeAttributes.none(), number.name(), integer(1));
    String rows = constant(table, table.length / width, width);
    return operation("Gather", width, NodeAttributes.none().number("axis", 0), rows, flat.name());
  }

  /** Returns the predictions of the trees, one column per target. */
  public GraphValue trees(GraphValue value, TreeEnsemble ensemble) {
    if (ensemble.highestFeature() >= value.width()) {
      throw new IllegalArgumentException(
          "a tree asks for feature %d, but rows have only %d"
              .formatted(ensemble.highestFeature(), value.width()));
    }
    return operation(
        "TreeEnsembleRegressor", ensemble.targets(), ensemble.attributes(), value.name());
  }

  /**
   * Returns the file whose output is {@code output}.
   *
   * @param metadata what the file says of itself; must describe as many features as the input has
   */
  public byte[] toBytes(GraphValue output, ModelMetadata metadata) {
    if (metadata.features().size() != input.width()) {
      throw new IllegalArgumentException(
          "the metadata must describe %s, but describes %d"
              .formatted(Count.of(input.width(), "feature"), metadata.features().size()));
    }
    ProtobufWriter model =
        new ProtobufWriter()
            .number(1, IR_VERSION)
            .text(2, "liquid")
            .message(7, graph(output))
            .message(8, new ProtobufWriter().text(1, "").number(2, OPERATOR_SET))
            .message(8, new ProtobufWriter().text(1, TREE_DOMAIN).number(2, TREE_OPERATOR_SET));
    metadata
        .toProperties()
        .forEach(
            (key, value) -> model.message(14, new ProtobufWriter().text(1, key).text(2, value)));
    return model.toBytes();
  }

  private ProtobufWriter graph(GraphValue output) {
    ProtobufWriter graph = new ProtobufWriter();
    nodes.forEach(node -> graph.message(1, node));
    graph.text(2, "liquid");
    initializers.forEach(tensor -> graph.message(5, tensor));
    return graph.message(11, input.toMessage()).message(12, output.toMessage());
  }

  private GraphValue operation(
      String operator, int width, NodeAttributes attributes, String... inputs) {
    GraphValue result = new GraphValue(newName(), width);
    ProtobufWriter node = new ProtobufWriter();
    for (String name : inputs) {
      node.text(1, name);
    }
    node.text(2, result.name()).text(4, operator);
    attributes.messages().forEach(attribute -> node.message(5, attribute));
    nodes.add(attributes.domain().isEmpty() ? node : node.text(7, attributes.domain()));
    return result;
  }

  private GraphValue binary(String operator, GraphValue left, String right) {
    return operation(operator, left.width(), NodeAttributes.none(), left.name(), right);
  }

  private String constant(float[] values, long... shape) {
    return initializer(GraphValue.FLOAT, ProtobufWriter.littleEndian(values), shape);
  }

  private String scalar(float value) {
    return constant(new float[] {value});
  }

  private String integer(long value) {
    return initializer(INT64, ProtobufWriter.littleEndian(value), 1);
  }

  private String initializer(int type, byte[] data, long... shape) {
    String name = newName();
    initializers.add(
        new ProtobufWriter().numbers(1, shape).number(2, type).text(8, name).bytes(9, data));
    return name;
  }

  private String newName() {
    return "v" + names++;
  }

  private static String sameWidth(GraphValue left, GraphValue right) {
    if (left.width() != right.width()) {
      throw new IllegalArgumentException(
          "both sides must be equally wide, but were " + left.width() + " and " + right.width());
    }
    return right.name();
  }

  private static void requireLength(float[] values, int length) {
    if (values.length != length) {
      throw new IllegalArgumentException(
          "expected " + Count.of(length, "number") + ", but there were " + values.length);
    }
  }
}
