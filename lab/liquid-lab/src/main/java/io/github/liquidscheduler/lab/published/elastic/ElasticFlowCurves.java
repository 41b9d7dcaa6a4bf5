package io.github.liquidscheduler.lab.published.elastic;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurves;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads the strong-scaling measurements of ElasticFlow (Gu et al., ASPLOS 2023): a folder with one
 * CSV file for each model, a row for each global batch size and a column for each number of GPUs.
 */
public final class ElasticFlowCurves {

  private static final String BATCH = "global_batch_size";
  private static final String CSV = ".csv";
  private static final int MOST_GPUS = 64;
  private static final double MICRO = 1e6;

  private ElasticFlowCurves() {}

  /**
   * Returns the curves, called {@code GPU/MODEL/BATCH}, rounded to millionths. Cells that are
   * empty, {@code nan} or 0 are no points.
   *
   * @param folder a folder {@code throughputs_GPU}
   * @throws InputFormatException if it cannot be read, has no CSV file or a row is wrong
   */
  public static ThroughputCurves read(Path folder) {
    String gpu = String.valueOf(folder.getFileName()).replaceFirst("^throughputs_", "");
    SortedMap<String, ThroughputCurve> curves = new TreeMap<>();
    for (Path file : files(folder)) {
      String model = String.valueOf(file.getFileName()).replace(CSV, "");
      for (Row row : Rows.read(file, BATCH, "1")) {
        curves.put("%s/%s/%s".formatted(gpu, model, row.text(BATCH)), curve(row));
      }
    }
    return ThroughputCurves.of(curves);
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(CSV)).sorted().toList();
      if (!found.isEmpty()) {
        return found;
      }
    } catch (IOException e) {
      throw new InputFormatException(folder + ": must be a readable folder, but: " + e, e);
    }
    throw new InputFormatException(folder + ": must have a CSV file for each model");
  }

  private static ThroughputCurve curve(Row row) {
    Map<Integer, Double> points = new TreeMap<>();
    for (int gpus = 1; gpus <= MOST_GPUS; gpus *= 2) {
      String column = Integer.toString(gpus);
      String cell = row.optionalText(column).orElse("nan");
      if (!cell.equals("nan") && !cell.equals("0")) {
        points.put(gpus, Math.floor(MICRO * row.positive(column) + 0.5) / MICRO);
      }
    }
    return ThroughputCurve.of(points);
  }
}
