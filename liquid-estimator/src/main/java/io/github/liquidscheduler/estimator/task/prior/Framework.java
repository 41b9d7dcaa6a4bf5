package io.github.liquidscheduler.estimator.task.prior;

import io.github.liquidscheduler.estimator.workload.ComparableName;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The memory of a framework's process before it computes. Our own table, shipped as {@code
 * frameworks.csv}.
 *
 * @param processBytes the context of the device and the libraries
 * @param heldFraction the part of the device that it takes at once by default, 0 if it grows
 * @param servesOnly whether it is a server of language models
 */
record Framework(double processBytes, double heldFraction, boolean servesOnly) {
  private static final double MEBIBYTE = 1 << 20;
  private static final Framework UNKNOWN = new Framework(1000 * MEBIBYTE, 0, false);
  private static final Map<String, Framework> BY_NAME = table();

  static Framework of(String name) {
    return BY_NAME.getOrDefault(ComparableName.of(name), UNKNOWN);
  }

  private static Map<String, Framework> table() {
    Map<String, Framework> table = new LinkedHashMap<>();
    for (String[] row : ShippedTable.rows("frameworks.csv")) {
      double process = MEBIBYTE * Double.parseDouble(row[1]);
      boolean serves = Boolean.parseBoolean(row[3]);
      table.put(row[0], new Framework(process, Double.parseDouble(row[2]), serves));
    }
    return table;
  }
}
