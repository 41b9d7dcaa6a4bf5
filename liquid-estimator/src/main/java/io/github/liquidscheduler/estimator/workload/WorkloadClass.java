package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.job.Workload;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a predictor does not tell apart: same model family, batch size and precision.
 *
 * @param family the model family, in lower-case letters and digits; {@code unknown} if there are
 *     none
 * @param batchSize the samples per iteration, if known
 * @param precision the numeric precision in lower case, with {@code _} for each {@code ;}, {@code
 *     |} and control character, or an empty text
 */
public record WorkloadClass(String family, OptionalInt batchSize, String precision) {

  /** What stands between parts and between classes where they are written as text. */
  private static final Pattern SEPARATORS = Pattern.compile("[;|\\p{Cntrl}]");

  /** Makes the parts comparable; any text is fine. */
  public WorkloadClass {
    Objects.requireNonNull(batchSize, "batchSize");
    family = ComparableName.of(family);
    family = family.isEmpty() ? "unknown" : family;
    precision = SEPARATORS.matcher(precision.toLowerCase(Locale.ROOT)).replaceAll("_").strip();
  }

  /** Returns the class of {@code workload}. */
  public static WorkloadClass of(Workload workload) {
    return new WorkloadClass(
        workload.family(), workload.batchSize(), workload.precision().orElse(""));
  }

  /**
   * Returns the class that {@link #toString()} wrote.
   *
   * @throws IllegalArgumentException if {@code line} is no such text
   */
  public static WorkloadClass parse(String line) {
    String[] parts = line.split(";", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException(
          "a workload class must be family;batch;precision, but was '" + line + "'");
    }
    OptionalInt batch =
        parts[1].isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(parts[1]));
    return new WorkloadClass(parts[0], batch, parts[2]);
  }

  /** Returns the number of doublings between the batch sizes; infinite if one is unknown. */
  public double doublingsTo(WorkloadClass other) {
    if (batchSize.isEmpty() || other.batchSize.isEmpty()) {
      return batchSize.equals(other.batchSize) ? 0 : Double.POSITIVE_INFINITY;
    }
    return Math.abs(Math.log((double) batchSize.getAsInt() / other.batchSize.getAsInt()))
        / Math.log(2);
  }

  // These two are asked very often, and by a JVM that has just started too.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof WorkloadClass that
            && family.equals(that.family)
            && batchSize.equals(that.batchSize)
            && precision.equals(that.precision));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * family.hashCode() + batchSize.hashCode()) + precision.hashCode();
  }

  @Override
  public String toString() {
    String batch = batchSize.isPresent() ? Integer.toString(batchSize.getAsInt()) : "";
    return family + ";" + batch + ";" + precision;
  }
}
