package io.github.liquidscheduler.estimator.task.prior;

import io.github.liquidscheduler.estimator.workload.ComparableName;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The maker's specification of a GPU model. Our own table, shipped as {@code gpu-models.csv}.
 *
 * @param name the model
 * @param memoryBytes the device memory
 * @param teraflops single-precision speed without tensor cores, in 10<sup>12</sup> per second
 * @param bandwidth device memory bandwidth, in 10<sup>9</sup> bytes per second
 */
public record GpuSpecification(
    String name, double memoryBytes, double teraflops, double bandwidth) {
  private static final double GIBIBYTE = 1L << 30;

  /** Words of a name that drivers and clouds add to that of the model. */
  private static final Set<String> DECORATIONS =
      Set.of(
          "nvidia",
          "tesla",
          "geforce",
          "quadro",
          "amd",
          "instinct",
          "gpu",
          "graphics",
          "accelerator",
          "generation",
          "pcie",
          "sxm",
          "sxm2",
          "sxm3",
          "sxm4",
          "sxm5",
          "sxm6",
          "oam",
          "hbm2",
          "hbm2e",
          "hbm3",
          "hbm3e",
          "mega",
          "shared",
          "mig");

  private static final Map<String, GpuSpecification> BY_NAME = table();

  /**
   * Returns the GPU model called {@code name}, whatever its case and punctuation, as NVML and
   * clouds call it: {@code NVIDIA A100-SXM4-80GB} is an A100-80GB. A memory that the name states
   * beats the table's, and so does that of a MIG slice.
   */
  public static Optional<GpuSpecification> named(String name) {
    GpuSpecification exact = BY_NAME.get(ComparableName.of(name));
    return exact != null ? Optional.of(exact) : decorated(name);
  }

  private static Optional<GpuSpecification> decorated(String name) {
    StringBuilder model = new StringBuilder();
    double gibibytes = 0;
    for (String word : name.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1)) {
      double stated = gibibytes(word);
      gibibytes = stated > 0 ? stated : gibibytes;
      boolean isSlice = word.matches("[1-7]g");
      if (stated == 0 && !isSlice && !DECORATIONS.contains(word)) {
        model.append(word);
      }
    }
    GpuSpecification sized = BY_NAME.get(model + String.valueOf(Math.round(gibibytes)) + "gb");
    return sized == null
        ? Optional.ofNullable(BY_NAME.get(model.toString())).map(with(gibibytes))
        : Optional.of(sized);
  }

  private static UnaryOperator<GpuSpecification> with(double gibibytes) {
    return gpu ->
        gibibytes == 0
            ? gpu
            : new GpuSpecification(
                gpu.name(), gibibytes * GIBIBYTE, gpu.teraflops(), gpu.bandwidth());
  }

  /** Returns the memory that a word such as {@code 80GB} states, or 0. */
  private static double gibibytes(String word) {
    return word.matches("[0-9]{1,4}g(b|ib)") ? Double.parseDouble(word.split("g", 2)[0]) : 0;
  }

  private static Map<String, GpuSpecification> table() {
    Map<String, GpuSpecification> table = new LinkedHashMap<>();
    for (String[] row : ShippedTable.rows("gpu-models.csv")) {
      GpuSpecification gpu =
          new GpuSpecification(
              row[0],
              Double.parseDouble(row[1]) * GIBIBYTE,
              Double.parseDouble(row[2]),
              Double.parseDouble(row[3]));
      table.put(ComparableName.of(row[0]), gpu);
      ShippedTable.keys(row[4]).forEach(alias -> table.put(alias, gpu));
    }
    return table;
  }
}
