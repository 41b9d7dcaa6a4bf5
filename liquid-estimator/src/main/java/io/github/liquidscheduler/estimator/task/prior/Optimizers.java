package io.github.liquidscheduler.estimator.task.prior;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Memory that optimisers keep per parameter. Our own table, shipped as {@code optimizers.csv}. */
final class Optimizers {
  private static final Map<String, Double> STATE_BYTES = table();

  private Optimizers() {}

  /** Returns the bytes besides weight and gradient, of an optimiser named in letters and digits. */
  static Optional<Double> stateBytes(String optimizer) {
    return Optional.ofNullable(STATE_BYTES.get(optimizer));
  }

  private static Map<String, Double> table() {
    Map<String, Double> table = new LinkedHashMap<>();
    ShippedTable.rows("optimizers.csv")
        .forEach(row -> table.put(row[0], Double.parseDouble(row[1])));
    return table;
  }
}
