package io.github.liquidscheduler.simulator.truth;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.Table;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.performance.GpuSpeedTable;
import java.nio.file.Path;

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
    Table<String, String, Double> seen = HashBasedTable.create();
    for (Row row : Rows.read(file, WORKLOAD, MODEL, SPEED)) {
      double speed = row.positive(SPEED);
      if (seen.put(row.text(WORKLOAD), row.text(MODEL), speed) != null) {
        throw row.error(MODEL, "must come once for each workload");
      }
      table.speed(row.text(WORKLOAD), GpuModel.of(row.text(MODEL)), speed);
    }
    return table.build();
  }
}
