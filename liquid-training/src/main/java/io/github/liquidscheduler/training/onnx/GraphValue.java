package io.github.liquidscheduler.training.onnx;

/**
 * A value that flows through an {@link OnnxGraph}: a batch of rows of a known width.
 *
 * @param name the value's name in the file
 * @param width the numbers per row, at least 1
 */
public record GraphValue(String name, int width) {

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
}
