package io.github.liquidscheduler.estimator.task.prior;

import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.workload.FiniteNumber;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** The settings with which a task trains or serves; the hyper-parameters that memory heeds. */
final class TaskSettings {
  private static final double LARGE = 3e9;
  private static final double FULL = 4;
  private static final double HALF = 2;

  /** Bytes per parameter besides weight and gradient. Our own table: {@code optimizers.csv}. */
  private static final Map<String, Double> STATE_BYTES = new LinkedHashMap<>();

  static {
    ShippedTable.rows("optimizers.csv")
        .forEach(row -> STATE_BYTES.put(row[0], Double.parseDouble(row[1])));
  }

  private final Map<String, String> stated;
  private final TaskProfile task;
  private final String precision;

  TaskSettings(TaskProfile task) {
    this.task = task;
    stated = task.hyperparameters();
    precision = task.precision().toLowerCase(Locale.ROOT);
  }

  OptionalDouble number(String name) {
    OptionalDouble number = FiniteNumber.of(stated.getOrDefault(name, ""));
    return number.isPresent() && number.getAsDouble() < 0 ? OptionalDouble.empty() : number;
  }

  double numberOr(String name, double otherwise) {
    OptionalDouble number = number(name);
    return number.isPresent() ? number.getAsDouble() : otherwise;
  }

  boolean states(String name) {
    return stated.containsKey(name);
  }

  boolean is(String name, boolean otherwise) {
    String text = stated.getOrDefault(name, "").toLowerCase(Locale.ROOT);
    return text.isEmpty() ? otherwise : text.equals("true") || text.equals("1");
  }

  String text(String name) {
    return stated.getOrDefault(name, "").toLowerCase(Locale.ROOT);
  }

  boolean servesOnly() {
    return text("mode").startsWith("inf") || text("mode").startsWith("serv") || server();
  }

  /** Whether the framework is one that only serves. */
  private boolean server() {
    return Framework.of(task.framework()).servesOnly();
  }

  boolean statesPrecision() {
    return !precision.isEmpty();
  }

  /** Whether numbers that a batch keeps have 16 bits: if stated, or usual for so large a model. */
  boolean computesInHalf(boolean isTransformer, double parameters) {
    if (statesPrecision()) {
      return isHalf() || isQuantized();
    }
    return isTransformer && parameters >= (servesOnly() ? LARGE / 3 : LARGE);
  }

  /** Bytes of a weight that is not trained. */
  double frozenBytes(boolean isHalf) {
    if (precision.contains("4") && isQuantized()) {
      return 0.55;
    }
    return isQuantized() ? 1 : bytes(isHalf);
  }

  /** Bytes of a weight, of its gradient and of its optimiser state, of one that is trained. */
  double trainedBytes(boolean isHalf) {
    return bytes(isHalf);
  }

  double stateBytes(boolean isHalf, boolean isTransformer) {
    double usual = isTransformer ? 8 : 4;
    String optimizer = text("optimizer").replaceAll("[^a-z0-9]", "");
    double state = STATE_BYTES.getOrDefault(optimizer, usual);
    boolean isPure = precision.contains("pure") || precision.contains("only");
    if (isHalf && isPure) {
      return state / 2;
    }
    return isHalf ? state + FULL : state;
  }

  boolean hasGradients() {
    return !text("optimizer").equals("none");
  }

  private boolean isHalf() {
    return precision.contains("16") || precision.contains("amp") || precision.contains("mixed");
  }

  private boolean isQuantized() {
    return precision.contains("8")
        || precision.contains("nf4")
        || precision.contains("int4")
        || precision.contains("4bit")
        || precision.contains("4-bit");
  }

  private static double bytes(boolean isHalf) {
    return isHalf ? HALF : FULL;
  }
}
