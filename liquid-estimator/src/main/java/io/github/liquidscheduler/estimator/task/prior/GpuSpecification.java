package io.github.liquidscheduler.estimator.task.prior;

import io.github.liquidscheduler.estimator.workload.ComparableName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the maker publishes about a GPU model. Our own table, shipped as {@code gpu-models.csv}.
 *
 * @param name the model
 * @param memoryBytes the device memory
 * @param teraflops single-precision speed without tensor cores, in 10<sup>12</sup> per second
 * @param bandwidth device memory bandwidth, in 10<sup>9</sup> bytes per second
 */
public record GpuSpecification(
    String name, double memoryBytes, double teraflops, double bandwidth) {
  private static final Map<String, GpuSpecification> BY_NAME = table();

  /** Returns the GPU model called {@code name}, whatever its case and punctuation. */
  public static Optional<GpuSpecification> named(String name) {
    return Optional.ofNullable(BY_NAME.get(ComparableName.of(name)));
  }

  private static Map<String, GpuSpecification> table() {
    Map<String, GpuSpecification> table = new LinkedHashMap<>();
    for (String[] row : ShippedTable.rows("gpu-models.csv")) {
      GpuSpecification gpu =
          new GpuSpecification(
              row[0],
              Double.parseDouble(row[1]) * (1L << 30),
              Double.parseDouble(row[2]),
              Double.parseDouble(row[3]));
      table.put(ComparableName.of(row[0]), gpu);
      ShippedTable.keys(row[4]).forEach(alias -> table.put(alias, gpu));
    }
    return table;
  }
}
