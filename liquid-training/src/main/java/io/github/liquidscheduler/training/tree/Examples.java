package io.github.liquidscheduler.training.tree;

import io.github.liquidscheduler.text.Count;
import java.util.Arrays;

/**
 * Rows of one width, and the number that each should lead to. Rows may be shared with other
 * examples and are never changed.
 */
@SuppressWarnings("ArrayRecordComponent")
public record Examples(float[][] rows, float[] labels) {

  /**
   * Checks the shape.
   *
   * @throws IllegalArgumentException if there is no row, rows differ in width, or a number is not
   *     finite
   */
  public Examples {
    if (rows.length == 0 || rows.length != labels.length) {
      throw new IllegalArgumentException(
          "examples need at least one row and a label each, but had %s and %s"
              .formatted(Count.of(rows.length, "row"), Count.of(labels.length, "label")));
    }
    for (int i = 0; i < rows.length; i++) {
      requireFinite(rows[i], labels[i], rows[0].length, i);
    }
  }

  /** Returns the number of rows. */
  public int size() {
    return rows.length;
  }

  /** Returns the number of columns. */
  public int width() {
    return rows[0].length;
  }

  /** Returns the examples at these places. */
  public Examples at(int... places) {
    float[][] chosen = Arrays.stream(places).mapToObj(place -> rows[place]).toArray(float[][]::new);
    float[] chosenLabels = new float[places.length];
    for (int i = 0; i < places.length; i++) {
      chosenLabels[i] = labels[places[i]];
    }
    return new Examples(chosen, chosenLabels);
  }

  /** Returns the mean label. */
  public double meanLabel() {
    double sum = 0;
    for (float label : labels) {
      sum += label;
    }
    return sum / labels.length;
  }

  private static void requireFinite(float[] row, float label, int width, int place) {
    if (row.length != width) {
      throw new IllegalArgumentException(
          "rows must be %d wide, but row %d is %d wide".formatted(width, place, row.length));
    }
    boolean isFinite = Float.isFinite(label);
    for (float value : row) {
      isFinite &= Float.isFinite(value);
    }
    if (!isFinite) {
      throw new IllegalArgumentException("a number must be finite, but was not, in row " + place);
    }
  }
}
