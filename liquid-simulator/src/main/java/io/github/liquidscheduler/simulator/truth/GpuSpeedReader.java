package io.github.liquidscheduler.simulator.truth;

import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.performance.GpuSpeedTable;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads how fast jobs of each model family are on each GPU model. */
public final class GpuSpeedReader {

  private static final String WORKLOAD = "workload";
  private static final String MODEL = "gpu_model";
  private static final String SPEED = "speed";

  private GpuSpeedReader() {}

  /**
   * Reads a CSV file with the columns {@code workload}, {@code gpu_model} and {@code speed}, in any
   * unit, one row for each pair, in any order.
   *
   * @throws io.github.liquidscheduler.formats.InputFormatException if there is no such file, it
   *     cannot be read or a row is wrong
   */
  public static GpuSpeedTable read(Path file) {
    GpuSpeedTable.Builder table = GpuSpeedTable.builder();
    Map<String, Map<String, Double>> seen = new LinkedHashMap<>();
    for (Row row : Rows.read(file, WORKLOAD, MODEL, SPEED)) {
      double speed = row.positive(SPEED);
      Double earlier =
          seen.computeIfAbsent(row.text(WORKLOAD), workload -> new LinkedHashMap<>())
              .putIfAbsent(row.text(MODEL), speed);
      if (earlier != null) {
        throw row.error(MODEL, "must come once for each workload");
      }
      table.speed(row.text(WORKLOAD), GpuModel.of(row.text(MODEL)), speed);
    }
    return table.build();
  }
}
