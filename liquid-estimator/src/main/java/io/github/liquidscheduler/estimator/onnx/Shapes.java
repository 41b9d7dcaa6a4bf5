package io.github.liquidscheduler.estimator.onnx;

import com.google.common.math.LongMath;
import io.github.liquidscheduler.text.Count;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** The sizes of values that are made of others: an upper bound in each dimension. */
final class Shapes {

  private Shapes() {}

  /** Returns the product, or the largest number if that is too small for it. */
  static long times(long one, long other) {
    return LongMath.saturatedMultiply(Math.max(0, one), Math.max(0, other));
  }

  /** Returns the product of all dimensions. */
  static long numbers(long[] dimensions) {
    return Arrays.stream(dimensions).reduce(1, Shapes::times);
  }

  /** Aligns the last dimensions of all; each is as large as the largest one. */
  static long[] broadcast(List<long[]> values) {
    return values.stream().reduce(Shapes::broadcast).orElseThrow();
  }

  private static long[] broadcast(long[] one, long[] other) {
    long[] longer = (one.length >= other.length ? one : other).clone();
    long[] shorter = one.length >= other.length ? other : one;
    int offset = longer.length - shorter.length;
    for (int i = 0; i < shorter.length; i++) {
      longer[offset + i] = Math.max(longer[offset + i], shorter[i]);
    }
    return longer;
  }

  static long[] concat(List<long[]> in, long axis) {
    long[] all = broadcast(in).clone();
    int along = position(axis, all.length);
    all[along] = 0;
    for (long[] each : in) {
      long size = each.length == all.length ? each[along] : Long.MAX_VALUE;
      all[along] = Math.min(Integer.MAX_VALUE, all[along]) + Math.min(Integer.MAX_VALUE, size);
    }
    return all;
  }

  static long[] gather(long[] table, long[] indices, long axis) {
    int along = position(axis, table.length);
    return LongStream.concat(
            LongStream.concat(Arrays.stream(table, 0, along), Arrays.stream(indices)),
            Arrays.stream(table, along + 1, table.length))
        .toArray();
  }

  /** A 0 in the shape keeps a dimension, a -1 takes what the others leave. */
  static long[] reshape(long[] in, long[] shape) {
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

  static long[] flatten(long[] in, long axis) {
    int at = Math.clamp(axis < 0 ? axis + in.length : axis, 0, in.length);
    return new long[] {
      numbers(Arrays.copyOf(in, at)), numbers(Arrays.copyOfRange(in, at, in.length))
    };
  }

  static long[] squeeze(long[] in, long[] axes) {
    long[] out = in.clone();
    for (long axis : axes) {
      out[position(axis, in.length)] = -1;
    }
    return Arrays.stream(out).filter(size -> size >= 0).toArray();
  }

  static long[] unsqueeze(long[] in, long[] axes) {
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

  private static int position(long axis, int rank) {
    long position = axis < 0 ? axis + rank : axis;
    if (position < 0 || position >= rank) {
      throw new IllegalArgumentException(
          "axis %d is none of a value of %s".formatted(axis, Count.of(rank, "dimension")));
    }
    return (int) position;
  }
}
