package io.github.liquidscheduler.estimator.onnx;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Follows the values of a model from operator to operator, and refuses what would be too large, or
 * too much work, for one batch. Each value has an upper bound in each dimension; no operator that
 * is followed gives more than its bounds say. Values of operators that whoever loads the model has
 * allowed are not known, nor are those made from them.
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

  private static final long MOST_NUMBERS = 1L << 24;
  private static final long MOST_WORK = 1L << 32;

  private final Map<String, long[]> values = new HashMap<>();
  private final Map<String, long[]> constants = new HashMap<>();
  private long work;

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

  /** Returns the product, or the largest number if that is too small for it. */
  static long times(long one, long other) {
    long product = Math.max(0, one) * Math.max(0, other);
    return Math.multiplyHigh(Math.max(0, one), Math.max(0, other)) != 0 || product < 0
        ? Long.MAX_VALUE
        : product;
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
        values.remove(output);
      } else {
        put(output, result);
      }
      if (node.operator().equals("Constant")) {
        constants.put(output, node.constant().integers());
      }
    }
  }

  private void put(String name, long... dimensions) {
    long numbers = numbers(dimensions);
    work += numbers;
    if (numbers > MOST_NUMBERS || work > MOST_WORK) {
      throw new IllegalArgumentException(
          "the value '%s' of a batch would have up to %d numbers, or take too much work"
              .formatted(name, numbers));
    }
    values.put(name, dimensions);
  }

  private static long numbers(long[] dimensions) {
    return Arrays.stream(dimensions).reduce(1, TensorSizes::times);
  }

  /** Returns the bounds of a result; null if a value that it is made of is not known. */
  private long @Nullable [] result(GraphNode node) {
    List<long[]> in = node.inputs().stream().filter(values::containsKey).map(values::get).toList();
    boolean isKnown = in.size() == node.inputs().stream().filter(name -> !name.isEmpty()).count();
    if (node.operator().equals("Constant")) {
      return node.constant().dimensions();
    }
    if (!isKnown || in.isEmpty()) {
      return null;
    }
    long[] first = in.getFirst();
    if (ALIKE.contains(node.operator())) {
      return first;
    }
    if (SIDE_BY_SIDE.contains(node.operator())) {
      return in.stream().reduce(TensorSizes::broadcast).orElseThrow();
    }
    return switch (node.operator()) {
      case "Gemm" -> gemm(node, in);
      case "MatMul" -> product(first, false, second(node, in), false);
      case "Concat" -> concat(in, node.number("axis", 0));
      case "Gather" -> gather(first, second(node, in), node.number("axis", 0));
      case "Reshape" -> reshape(first, parameter(node, "shape"));
      case "Flatten" -> flatten(first, node.number("axis", 1));
      case "Squeeze" -> squeeze(first, parameter(node, "axes"));
      case "Unsqueeze" -> unsqueeze(first, parameter(node, "axes"));
      default -> trees(node, first);
    };
  }

  private static long[] second(GraphNode node, List<long[]> in) {
    if (in.size() < 2) {
      throw new IllegalArgumentException(node.operator() + " needs two values, but has one");
    }
    return in.get(1);
  }

  /** Aligns the last dimensions; each is as large as the larger one. */
  private static long[] broadcast(long[] one, long[] other) {
    long[] longer = (one.length >= other.length ? one : other).clone();
    long[] shorter = one.length >= other.length ? other : one;
    int offset = longer.length - shorter.length;
    for (int i = 0; i < shorter.length; i++) {
      longer[offset + i] = Math.max(longer[offset + i], shorter[i]);
    }
    return longer;
  }

  private long[] gemm(GraphNode node, List<long[]> in) {
    long[] product =
        product(
            in.getFirst(),
            node.number("transA", 0) != 0,
            second(node, in),
            node.number("transB", 0) != 0);
    return in.size() > 2 ? broadcast(product, in.get(2)) : product;
  }

  private long[] product(long[] left, boolean turnLeft, long[] right, boolean turnRight) {
    if (left.length != 2 || right.length != 2) {
      throw new IllegalArgumentException("a model may multiply matrices of two dimensions only");
    }
    long rows = left[turnLeft ? 1 : 0];
    long columns = right[turnRight ? 0 : 1];
    long terms = left[turnLeft ? 0 : 1];
    work = Math.min(MOST_WORK, work) + Math.min(MOST_WORK, times(times(rows, columns), terms));
    return new long[] {rows, columns};
  }

  private static long[] concat(List<long[]> in, long axis) {
    long[] all = in.stream().reduce(TensorSizes::broadcast).orElseThrow().clone();
    int along = position(axis, all.length);
    all[along] = 0;
    for (long[] each : in) {
      long size = each.length == all.length ? each[along] : Long.MAX_VALUE;
      all[along] = Math.min(MOST_NUMBERS, all[along]) + Math.min(MOST_NUMBERS, size);
    }
    return all;
  }

  private static long[] gather(long[] table, long[] indices, long axis) {
    int along = position(axis, table.length);
    return LongStream.concat(
            LongStream.concat(Arrays.stream(table, 0, along), Arrays.stream(indices)),
            Arrays.stream(table, along + 1, table.length))
        .toArray();
  }

  /** A 0 in the shape keeps a dimension, a -1 takes what the others leave. */
  private static long[] reshape(long[] in, long[] shape) {
    long[] out = shape.clone();
    long others = 1;
    for (int i = 0; i < out.length; i++) {
      out[i] = out[i] == 0 && i < in.length ? in[i] : out[i];
      others = out[i] > 0 ? times(others, out[i]) : others;
    }
    for (int i = 0; i < out.length; i++) {
      out[i] = out[i] < 0 ? Math.ceilDiv(numbers(in), others) : out[i];
    }
    return out;
  }

  private static long[] flatten(long[] in, long axis) {
    int at = (int) Math.clamp(axis < 0 ? axis + in.length : axis, 0, in.length);
    return new long[] {
      numbers(Arrays.copyOf(in, at)), numbers(Arrays.copyOfRange(in, at, in.length))
    };
  }

  private static long[] squeeze(long[] in, long[] axes) {
    long[] out = in.clone();
    for (long axis : axes) {
      out[position(axis, in.length)] = -1;
    }
    return Arrays.stream(out).filter(size -> size >= 0).toArray();
  }

  private static long[] unsqueeze(long[] in, long[] axes) {
    int rank = in.length + axes.length;
    long[] out = new long[rank];
    for (long axis : axes) {
      out[position(axis, rank)] = 1;
    }
    int next = 0;
    for (int i = 0; i < rank; i++) {
      out[i] = out[i] == 1 || next == in.length ? 1 : in[next++];
    }
    return out;
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

  private static int position(long axis, int rank) {
    long position = axis < 0 ? axis + rank : axis;
    if (position < 0 || position >= rank) {
      throw new IllegalArgumentException(
          "axis %d is none of a value of %d dimensions".formatted(axis, rank));
    }
    return (int) position;
  }
}
