package io.github.liquidscheduler.estimator.onnx;

import java.util.stream.LongStream;

/**
 * A constant of a model.
 *
 * @param name its name
 * @param dimensions how many numbers it has, in each dimension
 * @param integers its values, if they are integers of 64 bits
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record GraphTensor(String name, long[] dimensions, long[] integers) {

  /** A single number. */
  static final GraphTensor SCALAR = new GraphTensor("", new long[0], new long[0]);

  private static final int INT64 = 7;

  /** Reads a tensor; refuses one that is kept outside the file, which names a path to open. */
  static GraphTensor read(ProtobufReader in) {
    String name = "";
    long type = 0;
    LongStream.Builder dimensions = LongStream.builder();
    LongStream.Builder typed = LongStream.builder();
    long[] raw = {};
    while (in.next()) {
      switch (in.field()) {
        case 1 -> in.numbers(dimensions);
        case 2 -> type = in.number();
        case 7 -> in.numbers(typed);
        case 8 -> name = in.text();
        case 9 -> raw = in.fixedNumbers();
        case 13 -> throw external();
        case 14 -> {
          if (in.number() != 0) {
            throw external();
          }
        }
        default -> {}
      }
    }
    long[] integers = raw.length == 0 ? typed.build().toArray() : raw;
    return new GraphTensor(
        name, dimensions.build().toArray(), type == INT64 ? integers : new long[0]);
  }

  private static IllegalArgumentException external() {
    return new IllegalArgumentException("a tensor is kept outside the file (external data)");
  }
}
