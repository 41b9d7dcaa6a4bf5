package io.github.liquidscheduler.estimator.onnx;

import io.github.liquidscheduler.text.Count;
import java.util.ArrayList;
import java.util.List;

/**
 * The properties that a loaded model must have. Two files swapped by accident differ in target or
 * columns and are refused.
 *
 * @param target what must be predicted
 * @param unit its unit
 * @param columns the columns in order; only names and units count
 * @param outputs the numbers that the model must return per row
 */
public record ModelContract(String target, String unit, List<Feature> columns, int outputs) {

  /** Copies the columns. */
  public ModelContract {
    columns = List.copyOf(columns);
  }

  void check(ModelMetadata metadata, int actualOutputs, String owner) {
    checkColumns(metadata.requiresTarget(target, unit, owner).features(), owner);
    if (actualOutputs != outputs) {
      throw new IllegalArgumentException(
          "the model must return %s per row, but returns %d, in %s"
              .formatted(Count.of(outputs, "number"), actualOutputs, owner));
    }
  }

  private void checkColumns(List<Feature> actual, String owner) {
    if (actual.size() != columns.size()) {
      throw new IllegalArgumentException(
          "the model must have %s, but has %d%s, in %s"
              .formatted(
                  Count.of(columns.size(), "feature"), actual.size(), difference(actual), owner));
    }
    for (int i = 0; i < columns.size(); i++) {
      Feature expected = columns.get(i);
      if (!expected.isSameColumn(actual.get(i))) {
        throw new IllegalArgumentException(
            "feature %d must be %s [%s], but was %s [%s], in %s"
                .formatted(
                    i,
                    expected.name(),
                    expected.unit(),
                    actual.get(i).name(),
                    actual.get(i).unit(),
                    owner));
      }
    }
  }

  private String difference(List<Feature> actual) {
    List<String> unknown = new ArrayList<>(actual.stream().map(Feature::name).toList());
    unknown.removeAll(columns.stream().map(Feature::name).toList());
    return unknown.isEmpty() ? "" : " (unknown: " + String.join(", ", unknown) + ")";
  }
}
