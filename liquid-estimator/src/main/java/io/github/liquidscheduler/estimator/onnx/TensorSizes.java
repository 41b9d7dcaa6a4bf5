package io.github.liquidscheduler.estimator.onnx;

import com.google.common.math.LongMath;
import io.github.liquidscheduler.prediction.ModelLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Follows the values of a model from operator to operator, and refuses what would be too large, or
 * too much work, for one batch. Each value has an upper bound in each dimension; no operator that
 * is followed gives more than its bounds say. Values of operators that the loading code has allowed
 * are not known, nor are those made from them.
 */
final class TensorSizes {

  private static final String TREES = "ai.onnx.ml.TreeEnsembleRegressor";

  /** Operators whose result is as large as their first value. */
  private static final Set<String> ALIKE =
      words(
          "Abs Ceil Celu Clip Elu Erf Exp Floor Gelu HardSigmoid HardSwish Identity LeakyRelu Log"
              + " Neg Reciprocal Relu Round Selu Sigmoid Sign Slice Softmax Softplus Softsign Sqrt"
              + " Tanh Cast BatchNormalization ai.onnx.ml.Scaler ai.onnx.ml.Normalizer"
              + " ai.onnx.ml.Imputer");

  /** Operators that go through values of different sizes side by side. */
  private static final Set<String> SIDE_BY_SIDE =
      words("Add Sub Mul Div Pow Min Max Sum Mean PRelu Where Greater Less Equal And Or Not");

  /** All operators that are followed: what networks and trees over rows are written with. */
  static final Set<String> OPERATORS = operators();

  private final Map<String, long[]> values = new HashMap<>();
  private final Map<String, long[]> constants = new HashMap<>();
  private final Set<String> trusted = new HashSet<>();
  private final ModelLimits limits;
  private long numbers;
  private long work;

  TensorSizes(ModelLimits limits) {
    this.limits = limits;
  }

  private static Set<String> operators() {
    Set<String> all = words("Constant Gemm MatMul Concat Gather Flatten Reshape Squeeze Unsqueeze");
    all.addAll(ALIKE);
    all.addAll(SIDE_BY_SIDE);
    all.add(TREES);
    return all;
  }

  private static Set<String> words(String text) {
    return new TreeSet<>(Arrays.asList(text.split(" ", -1)));
  }

  /** Adds the input: as many rows as the largest batch has. */
  void addInput(String name, long width) {
    put(name, BatchScorer.LARGEST_BATCH, width);
  }

  /** Adds a constant; one that is an input too is a constant. */
  void add(GraphTensor constant) {
    put(constant.name(), constant.dimensions());
    constants.put(constant.name(), constant.integers());
  }

  /** Adds what an operator gives. */
  void add(GraphNode node) {
    long @Nullable [] result = OPERATORS.contains(node.operator()) ? result(node) : null;
    for (String output : node.outputs()) {
      if (result == null) {
        trusted.add(output);
      } else {
        put(output, result);
      }
      if (node.operator().equals("Constant")) {
        constants.put(output, node.constant().integers());
      }
    }
  }

  private void put(String name, long... dimensions) {
    long size = Shapes.numbers(dimensions);
    numbers = LongMath.saturatedAdd(numbers, size);
    if (numbers > limits.numbers() || work > limits.multiplications()) {
      throw new IllegalArgumentException(
          "a model may have %d numbers in a batch, and multiply %d, but '%s' of up to %d is too much"
              .formatted(limits.numbers(), limits.multiplications(), name, size));
    }
    values.put(name, dimensions);
  }

  /** Returns the bounds of a result; null if a value that it is made of is not known. */
  private long @Nullable [] result(GraphNode node) {
    if (node.operator().equals("Constant")) {
      return node.constant().dimensions();
    }
    List<long[]> in = new ArrayList<>();
    for (String input : node.inputs()) {
      long @Nullable [] value = values.get(input);
      if (value != null) {
        in.add(value);
      } else if (trusted.contains(input)) {
        return null;
      } else if (!input.isEmpty()) {
        throw new IllegalArgumentException("'" + input + "' is taken before it is made");
      }
    }
    return in.isEmpty() ? null : result(node, in);
  }

  private long[] result(GraphNode node, List<long[]> in) {
    long[] first = in.getFirst();
    if (ALIKE.contains(node.operator())) {
      return first;
    }
    if (SIDE_BY_SIDE.contains(node.operator())) {
      return Shapes.broadcast(in);
    }
    return switch (node.operator()) {
      case "Gemm" -> gemm(node, in);
      case "MatMul" -> product(first, false, second(node, in), false);
      case "Concat" -> Shapes.concat(in, node.number("axis", 0));
      case "Gather" -> Shapes.gather(first, second(node, in), node.number("axis", 0));
      case "Reshape" -> Shapes.reshape(first, parameter(node, "shape"));
      case "Flatten" -> Shapes.flatten(first, node.number("axis", 1));
      case "Squeeze" -> Shapes.squeeze(first, parameter(node, "axes"));
      case "Unsqueeze" -> Shapes.unsqueeze(first, parameter(node, "axes"));
      default -> trees(node, first);
    };
  }

  private static long[] second(GraphNode node, List<long[]> in) {
    if (in.size() < 2) {
      throw new IllegalArgumentException(node.operator() + " needs two values, but has one");
    }
    return in.get(1);
  }

  private long[] gemm(GraphNode node, List<long[]> in) {
    long[] product =
        product(
            in.getFirst(),
            node.number("transA", 0) != 0,
            second(node, in),
            node.number("transB", 0) != 0);
    return in.size() > 2 ? Shapes.broadcast(List.of(product, in.get(2))) : product;
  }

  private long[] product(long[] left, boolean turnLeft, long[] right, boolean turnRight) {
    if (left.length != 2 || right.length != 2) {
      throw new IllegalArgumentException("a model may multiply matrices of two dimensions only");
    }
    long rows = left[turnLeft ? 1 : 0];
    long columns = right[turnRight ? 0 : 1];
    long terms = left[turnLeft ? 0 : 1];
    work = LongMath.saturatedAdd(work, Shapes.times(Shapes.times(rows, columns), terms));
    return new long[] {rows, columns};
  }

  private static long[] trees(GraphNode node, long[] rows) {
    return new long[] {rows.length == 0 ? 1 : rows[0], node.number("n_targets", 1)};
  }

  /** Returns the whole numbers that an operator is given as its second value or an attribute. */
  private long[] parameter(GraphNode node, String attribute) {
    long[] stated = node.numbers(attribute);
    long @Nullable [] given =
        node.inputs().size() > 1 ? constants.get(node.inputs().get(1)) : stated;
    if (given == null || given.length == 0) {
      throw new IllegalArgumentException(
          "the %s of %s must be constant".formatted(attribute, node.operator()));
    }
    return given;
  }
}
