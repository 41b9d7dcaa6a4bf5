package io.github.liquidscheduler.estimator.onnx;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metadata of a model file: what it predicts, from which columns, learned from what, and how
 * wrong it was on data it had not seen.
 *
 * @param target what is predicted, such as {@code retained_speed}
 * @param unit the unit of what is predicted, or {@code 1} for a plain number
 * @param features the input columns in order
 * @param trainingDataHash the SHA-256 of the data learned from, in hexadecimal, or {@code unknown}
 * @param heldOutError the error on held-out data, in words such as {@code mae=0.042 folds=pair}
 * @param notes further properties, by name in order
 */
public record ModelMetadata(
    String target,
    String unit,
    List<Feature> features,
    String trainingDataHash,
    String heldOutError,
    SortedMap<String, String> notes) {

  private static final Pattern CONTROL =
      Pattern.compile("[\\p{Cntrl}\\x{85}\\x{2028}\\x{2029}&&[^\\n]]");

  /** The version of these properties that this library writes and reads. */
  public static final int SCHEMA_VERSION = 1;

  private static final String PREFIX = "liquid.";
  private static final String SCHEMA = PREFIX + "schema_version";
  private static final String TARGET = PREFIX + "target";
  private static final String UNIT = PREFIX + "target_unit";
  private static final String FEATURES = PREFIX + "features";
  private static final String HASH = PREFIX + "training_data_sha256";
  private static final String ERROR = PREFIX + "held_out_error";
  private static final String NOTE = PREFIX + "note.";
  private static final String UNKNOWN = "unknown";

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no feature, or two have the same name
   */
  public ModelMetadata {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(trainingDataHash, "trainingDataHash");
    Objects.requireNonNull(heldOutError, "heldOutError");
    features = List.copyOf(features);
    notes = Collections.unmodifiableSortedMap(new TreeMap<>(notes));
    List<String> names = features.stream().map(Feature::name).toList();
    if (names.isEmpty() || names.stream().distinct().count() != names.size()) {
      throw new IllegalArgumentException(
          "a model's features must be at least one and have different names, but were " + names);
    }
  }

  /** Returns the metadata of a model of which nothing else is said. */
  public static ModelMetadata of(String target, String unit, List<Feature> features) {
    return new ModelMetadata(target, unit, features, UNKNOWN, UNKNOWN, new TreeMap<>());
  }

  /** Returns this metadata with what the model was trained on, and its error on held-out data. */
  public ModelMetadata trainedOn(String dataHash, String error) {
    return new ModelMetadata(target, unit, features, dataHash, error, notes);
  }

  /** Returns this metadata with a further property, which replaces one of the same name. */
  public ModelMetadata withNote(String name, String value) {
    SortedMap<String, String> more = new TreeMap<>(notes);
    more.put(name, value);
    return new ModelMetadata(target, unit, features, trainingDataHash, heldOutError, more);
  }

  /**
   * Returns the further property {@code name}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public String note(String name) {
    String note = notes.get(name);
    if (note == null) {
      throw new IllegalArgumentException("the model has no '" + name + "' among " + notes.keySet());
    }
    return note;
  }

  /**
   * Returns this metadata if this is what the model predicts.
   *
   * @param owner whose metadata this is, for messages
   * @throws IllegalArgumentException if it predicts something else
   */
  public ModelMetadata requiresTarget(String target, String unit, String owner) {
    if (!this.target.equals(target) || !this.unit.equals(unit)) {
      throw new IllegalArgumentException(
          "the model must predict %s [%s], but predicts %s [%s], in %s. Were two model files swapped?"
              .formatted(target, unit, this.target, this.unit, owner));
    }
    return this;
  }

  /** Returns the metadata as it is written to a file, by name. */
  public SortedMap<String, String> toProperties() {
    SortedMap<String, String> properties = new TreeMap<>();
    properties.put(SCHEMA, Integer.toString(SCHEMA_VERSION));
    properties.put(TARGET, target);
    properties.put(UNIT, unit);
    properties.put(FEATURES, String.join("\n", features.stream().map(Feature::toLine).toList()));
    properties.put(HASH, trainingDataHash);
    properties.put(ERROR, heldOutError);
    notes.forEach((name, value) -> properties.put(NOTE + name, value));
    return properties;
  }

  static ModelMetadata fromProperties(Map<String, String> properties, String owner) {
    properties.forEach((name, value) -> requireLines(name + value, owner));
    requireSchemaVersion(properties, owner);
    SortedMap<String, String> notes = new TreeMap<>();
    properties.forEach(
        (key, value) -> {
          if (key.startsWith(NOTE)) {
            notes.put(key.substring(NOTE.length()), value);
          }
        });
    return new ModelMetadata(
        require(properties, TARGET, owner),
        require(properties, UNIT, owner),
        require(properties, FEATURES, owner)
            .lines()
            .map(line -> Feature.fromLine(line, owner))
            .toList(),
        require(properties, HASH, owner),
        require(properties, ERROR, owner),
        notes);
  }

  private static void requireSchemaVersion(Map<String, String> properties, String owner) {
    String version = require(properties, SCHEMA, owner);
    if (!version.equals(Integer.toString(SCHEMA_VERSION))) {
      throw new IllegalArgumentException(
          "the schema version must be %d, but was %s, in %s. Train the model again with this version of Liquid."
              .formatted(SCHEMA_VERSION, version, owner));
    }
  }

  private static String require(Map<String, String> properties, String key, String owner) {
    String value = properties.get(key);
    if (value == null) {
      throw new IllegalArgumentException(
          "a model file must have the metadata property '" + key + "', but has none, in " + owner);
    }
    return value;
  }

  /** Refuses text that a message about it could not show on one line. */
  private static void requireLines(String text, String owner) {
    Matcher control = CONTROL.matcher(text);
    if (control.find()) {
      throw new IllegalArgumentException(
          "metadata must be plain text in lines, but holds the character U+%04X, in %s"
              .formatted(control.group().codePointAt(0), owner));
    }
  }
}
