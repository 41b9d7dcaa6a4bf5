package io.github.liquidscheduler.training.onnx;

/** A value that flows through an {@link OnnxGraph}: rows of a known width, at least 1. */
public record GraphValue(String name, int width) {
  /** The number by which ONNX calls single precision. */
  static final int FLOAT = 1;

  /**
   * Checks the width.
   *
   * @throws IllegalArgumentException if {@code width} is less than 1
   */
  public GraphValue {
    if (width < 1) {
      throw new IllegalArgumentException(
          "a graph value must be at least 1 wide, but was " + width + ", for '" + name + "'");
    }
  }

  /** Returns the ONNX description of an input or output: float rows, one per row of a batch. */
  ProtobufWriter toMessage() {
    ProtobufWriter shape =
        new ProtobufWriter()
            .message(1, new ProtobufWriter().text(2, "batch"))
            .message(1, new ProtobufWriter().number(1, width));
    ProtobufWriter tensor = new ProtobufWriter().number(1, FLOAT).message(2, shape);
    return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensor));
  }
}
