package io.github.liquidscheduler.estimator.task.prior;

import io.github.liquidscheduler.estimator.workload.ComparableName;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** The shipped tables of model families and of the sample sizes of data sets. Thread-safe. */
public final class ModelFamilies {
  private static final int SHORTEST_PREFIX = 4;

  /** Names of kinds, which tell nothing of a model whose name goes on. */
  private static final Set<String> GENERIC =
      Set.of("transformer", "embedding", "recommendation", "diffusion");

  /** What a language model of stated size and unknown family is taken for. */
  private static final String TYPICAL = "llama7b";

  private static final Map<String, ModelFamily> BY_NAME = families();
  private static final Map<String, Double> SIZES = sizes();

  private ModelFamilies() {}

  /** Returns the family called {@code name}, whatever its case and punctuation. */
  public static Optional<ModelFamily> named(String name) {
    return Optional.ofNullable(BY_NAME.get(ComparableName.of(name)));
  }

  /**
   * Returns the family that the name {@code name} most resembles: the one called so, else the one
   * with the longest name that it begins with, else the one of its lineage (told by the letters the
   * name begins with) whose parameters are nearest. A size in the name, such as {@code 70B}, counts
   * as parameters that were not stated, and a family of another size is resized.
   */
  public static Optional<ModelFamily> nearest(String name, OptionalDouble parameters) {
    Optional<ModelFamily> exact = named(name);
    if (exact.isPresent() && (parameters.isEmpty() || exact.get().transformer() == null)) {
      return exact;
    }
    String model = name.substring(name.lastIndexOf('/') + 1);
    OptionalDouble size = parameters.isPresent() ? parameters : NamedSize.of(model);
    return beginning(model, size)
        .or(() -> parameters.isPresent() ? Optional.empty() : typical(size))
        .map(found -> size.isPresent() ? found.resized(size.getAsDouble()) : found);
  }

  private static Optional<ModelFamily> beginning(String model, OptionalDouble size) {
    String key = ComparableName.of(model);
    Optional<ModelFamily> found = longestPrefix(key, size).or(() -> ofLineage(key, size));
    int word = model.indexOf('-');
    return found.isPresent() || word < 0 || NamedSize.of(model).isEmpty()
        ? found
        : beginning(model.substring(word + 1), size);
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

  private static Optional<ModelFamily> typical(OptionalDouble size) {
    return size.isPresent() ? named(TYPICAL) : Optional.empty();
  }

  private static Optional<ModelFamily> longestPrefix(String key, OptionalDouble size) {
    for (int end = key.length(); end >= SHORTEST_PREFIX; end--) {
      ModelFamily family = splitsNumber(key, end) ? null : BY_NAME.get(key.substring(0, end));
      if (family != null && isAbout(family, size) && !isKindOnly(key, end)) {
        return Optional.of(family);
      }
    }
    return Optional.empty();
  }

  private static boolean isKindOnly(String key, int end) {
    return end < key.length() && GENERIC.contains(key.substring(0, end));
  }

  /** A digit that follows a digit belongs to the name, so that a ResNet-500 is no ResNet-50. */
  private static boolean splitsNumber(String key, int end) {
    return end < key.length()
        && Character.isDigit(key.charAt(end))
        && Character.isDigit(key.charAt(end - 1));
  }

  private static boolean isAbout(ModelFamily family, OptionalDouble size) {
    return distance(family, size) < Math.log(1.5);
  }

  private static Optional<ModelFamily> ofLineage(String key, OptionalDouble size) {
    return BY_NAME.values().stream()
        .filter(family -> isOf(family.lineage(), key, size))
        .min(Comparator.comparingDouble(family -> distance(family, size)));
  }

  /** Letters that follow the lineage make another name, unless a size follows too. */
  private static boolean isOf(String lineage, String key, OptionalDouble size) {
    return key.startsWith(lineage)
        && (size.isPresent()
            || key.length() == lineage.length()
            || Character.isDigit(key.charAt(lineage.length())));
  }

  private static double distance(ModelFamily family, OptionalDouble parameters) {
    return parameters.isEmpty()
        ? 0
        : Math.abs(Math.log(family.parameters() / parameters.getAsDouble()));
  }

  private static Map<String, ModelFamily> families() {
    Map<String, ModelFamily> families = new LinkedHashMap<>();
    for (String[] row : ShippedTable.rows("model-families.csv")) {
      add(families, ModelFamily.of(row), row[row.length - 1]);
    }
    for (String[] row : ShippedTable.rows("transformers.csv")) {
      ModelFamily family = ModelFamily.of(row[0], row[1], 1e6 * number(row[2]), transformer(row));
      add(families, family, row[row.length - 1]);
    }
    return families;
  }

  private static void add(Map<String, ModelFamily> families, ModelFamily family, String aliases) {
    families.put(family.name(), family);
    ShippedTable.keys(aliases).forEach(alias -> families.put(alias, family));
  }

  private static Transformer transformer(String[] row) {
    return new Transformer(
        number(row[3]),
        number(row[4]),
        number(row[5]),
        number(row[6]),
        number(row[7]),
        number(row[8]),
        Boolean.parseBoolean(row[9]),
        number(row[10]),
        number(row[11]),
        number(row[12]),
        number(row[13]),
        number(row[14]),
        Boolean.parseBoolean(row[15]),
        Boolean.parseBoolean(row[16]));
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
