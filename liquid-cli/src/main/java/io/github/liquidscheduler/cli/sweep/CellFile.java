package io.github.liquidscheduler.cli.sweep;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.liquidscheduler.simulator.comparison.RunFigure;
import io.github.liquidscheduler.simulator.comparison.RunFigures;
import io.github.liquidscheduler.simulator.output.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of a cell as a flat JSON object: its key, the numbers of jobs and finished jobs, and
 * the figures with all digits.
 */
final class CellFile {
  private static final String JOBS = "jobs";
  private static final String FINISHED = "finished";

  private CellFile() {}

  /** Returns the text, which ends with its line. */
  static String of(SweepCell cell, RunFigures figures) {
    JsonObject json =
        new JsonObject()
            .withAll(cell.names())
            .with(JOBS, figures.jobs())
            .with(FINISHED, figures.finished());
    for (RunFigure figure : RunFigure.values()) {
      figures.value(figure).ifPresent(value -> json.with(figure.key(), value));
    }
    return json.pageWithInlineArrays();
  }

  /**
   * Reads what a cell left.
   *
   * @throws IllegalArgumentException if the file is of another cell, or of none
   */
  static RunFigures read(Path file, SweepCell cell) throws IOException {
    Map<String, String> names = new LinkedHashMap<>();
    Map<String, Double> numbers = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(Files.readAllBytes(file))) {
      json.nextToken();
      for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
        if (json.nextToken() == JsonToken.VALUE_STRING) {
          names.put(field, json.getText());
        } else {
          numbers.put(field, json.getDoubleValue());
        }
      }
    }
    if (!names.equals(cell.names())) {
      throw new IllegalArgumentException(
          "%s: must be what %s left, but is of %s. Delete it".formatted(file, cell, names));
    }
    return figures(file, numbers);
  }

  private static RunFigures figures(Path file, Map<String, Double> numbers) {
    Double jobs = numbers.get(JOBS);
    Double finished = numbers.get(FINISHED);
    if (jobs == null || finished == null) {
      throw new IllegalArgumentException(
          file + ": must have the fields 'jobs' and 'finished'. Delete it");
    }
    Map<RunFigure, Double> values = new EnumMap<>(RunFigure.class);
    Arrays.stream(RunFigure.values())
        .filter(figure -> numbers.containsKey(figure.key()))
        .forEach(figure -> values.put(figure, numbers.get(figure.key())));
    return new RunFigures(finished.intValue(), jobs.intValue(), values);
  }
}
