package io.github.liquidscheduler.training.interference;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.workload.InterferenceSchema;
import io.github.liquidscheduler.estimator.workload.PairFeatures;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.table.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The input for training an interference model elsewhere: the examples that this project learns
 * from, as a table, and the properties that the model file must have.
 *
 * <p>The table has a row per example: the GPU model, whether the example says what both classes
 * were measured to do ({@code is_known} 1: the first answer of a model is for such rows, the second
 * for all others), the columns in the order of the model's input, and the retained speed. An
 * unknown number is the column's mean, as it is when the model is asked.
 */
public final class FeatureExport {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SpeedExamples examples;
  private final List<Feature> columns;
  private final String dataHash;

  /** Works out the examples; the properties name the data by its SHA-256. */
  public FeatureExport(List<Measurement> measurements, String dataHash) {
    examples = new SpeedExamples(measurements);
    columns = new Scaling(examples.familiar()).columns();
    this.dataHash = dataHash;
  }

  /** Returns the number of rows of the table. */
  public int rows() {
    return examples.general().size();
  }

  /**
   * Writes the table.
   *
   * @throws IOException if the file cannot be written
   */
  public void write(Path file) throws IOException {
    int known = examples.familiar().size();
    List<Example> all = examples.general();
    List<List<?>> rows = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      rows.add(row(all.get(i), i < known ? 1 : 0));
    }
    List<String> header =
        Stream.of(
                Stream.of("gpu", "is_known"),
                columns.stream().map(Feature::name),
                Stream.of("retained_speed"))
            .flatMap(names -> names)
            .toList();
    CsvTable.write(file, header, rows);
  }

  /**
   * Writes the properties as one JSON object. Held-out errors are not among them: who trains a
   * model measures them.
   *
   * @throws IOException if the file cannot be written
   */
  public void writeProperties(Path file) throws IOException {
    Map<String, String> properties =
        InterferenceSchema.metadata(columns, examples.history(), Map.of(), Map.of())
            .trainedOn(dataHash, "unknown")
            .toProperties();
    Files.writeString(
        file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(properties) + "\n");
  }

  private List<?> row(Example example, int isKnown) {
    List<Object> cells = new ArrayList<>(List.of(example.gpu().name(), isKnown));
    for (int column = 0; column < PairFeatures.width(); column++) {
      double value = example.features()[column];
      cells.add(Double.isFinite(value) ? value : columns.get(column).mean());
    }
    cells.add(example.speed());
    return cells;
  }
}
