package io.github.liquidscheduler.estimator.task.prior;

import io.github.liquidscheduler.estimator.workload.ComparableName;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The shipped table of model families and of the sample sizes of data sets. Thread-safe. */
public final class ModelFamilies {
  private static final Map<String, ModelFamily> BY_NAME = families();
  private static final Map<String, Double> SIZES = sizes();

  private ModelFamilies() {}

  /** Returns the family called {@code name}, whatever its case and punctuation. */
  public static Optional<ModelFamily> named(String name) {
    return Optional.ofNullable(BY_NAME.get(ComparableName.of(name)));
  }

  /**
   * Returns the family that the name {@code name} most resembles: the one called so, else the one
   * of its lineage (told by the letters the name begins with) whose parameters are nearest.
   */
  public static Optional<ModelFamily> nearest(String name, OptionalDouble parameters) {
    Optional<ModelFamily> named = named(name);
    if (named.isPresent()) {
      return named;
    }
    String letters = ComparableName.of(name).replaceAll("[0-9].*", "");
    return BY_NAME.values().stream()
        .filter(family -> family.lineage().equals(letters))
        .min(Comparator.comparingDouble(family -> distance(family, parameters)));
  }

  /** Returns the lineage of the family called {@code name}, or the name if it is not known. */
  public static String lineage(String name) {
    return nearest(name, OptionalDouble.empty())
        .map(ModelFamily::lineage)
        .orElse(ComparableName.of(name));
  }

  /** Returns the side of the images, or the length of the sequences, of a data set, if known. */
  static OptionalDouble sampleSize(String dataset) {
    Double size = SIZES.get(ComparableName.of(dataset));
    return size == null ? OptionalDouble.empty() : OptionalDouble.of(size);
  }

  private static double distance(ModelFamily family, OptionalDouble parameters) {
    return parameters.isEmpty()
        ? 0
        : Math.abs(Math.log(family.parameters() / parameters.getAsDouble()));
  }

  private static Map<String, ModelFamily> families() {
    Map<String, ModelFamily> families = new LinkedHashMap<>();
    for (String[] row : ShippedTable.rows("model-families.csv")) {
      ModelFamily family =
          new ModelFamily(
              row[0],
              row[1],
              row[2],
              number(row[3]),
              number(row[4]),
              number(row[5]),
              number(row[6]),
              Boolean.parseBoolean(row[7]),
              number(row[8]));
      families.put(family.name(), family);
      ShippedTable.keys(row[9]).forEach(alias -> families.put(alias, family));
    }
    return families;
  }

  private static Map<String, Double> sizes() {
    Map<String, Double> sizes = new LinkedHashMap<>();
    ShippedTable.rows("data-sets.csv").forEach(row -> sizes.put(row[0], number(row[1])));
    return sizes;
  }

  private static double number(String cell) {
    return Double.parseDouble(cell);
  }
}
