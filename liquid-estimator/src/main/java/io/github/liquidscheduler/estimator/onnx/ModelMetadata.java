package io.github.liquidscheduler.estimator.onnx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a model file says of itself: what it predicts, from which columns, learned from what, and
 * how wrong it was on data it had not seen. Immutable.
 */
public final class ModelMetadata {
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

  private final String target;
  private final String unit;
  private final List<Feature> features;
  private final String trainingDataHash;
  private final String heldOutError;
  private final SortedMap<String, String> notes;

  private ModelMetadata(Builder builder) {
    target = builder.target;
    unit = builder.unit;
    features = List.copyOf(builder.features);
    trainingDataHash = builder.trainingDataHash;
    heldOutError = builder.heldOutError;
    notes = Collections.unmodifiableSortedMap(new TreeMap<>(builder.notes));
  }

  /**
   * Returns a builder.
   *
   * @param target what is predicted, such as {@code retained_speed}
   * @param unit its unit, or {@code 1} for a plain number
   */
  public static Builder builder(String target, String unit) {
    return new Builder(target, unit);
  }

  /** Returns what is predicted. */
  public String target() {
    return target;
  }

  /** Returns the unit of what is predicted. */
  public String unit() {
    return unit;
  }

  /** Returns the input columns in order. */
  public List<Feature> features() {
    return features;
  }

  /** Returns the SHA-256 of the data learned from, in hexadecimal, or {@code unknown}. */
  public String trainingDataHash() {
    return trainingDataHash;
  }

  /** Returns the error on held-out data, in words such as {@code mae=0.042 folds=pair}. */
  public String heldOutError() {
    return heldOutError;
  }

  /** Returns further properties, by name in order. */
  public SortedMap<String, String> notes() {
    return notes;
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

  /** Returns the notes as they are written to a file, by name. */
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
    requireSchemaVersion(properties, owner);
    Builder builder =
        builder(require(properties, TARGET, owner), require(properties, UNIT, owner))
            .trainingDataHash(require(properties, HASH, owner))
            .heldOutError(require(properties, ERROR, owner));
    require(properties, FEATURES, owner)
        .lines()
        .forEach(line -> builder.feature(Feature.fromLine(line, owner)));
    properties.forEach(
        (key, value) -> {
          if (key.startsWith(NOTE)) {
            builder.note(key.substring(NOTE.length()), value);
          }
        });
    return builder.build();
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

  /** Builds a {@link ModelMetadata}. Not thread-safe. */
  public static final class Builder {
    private final String target;
    private final String unit;
    private final List<Feature> features = new ArrayList<>();
    private String trainingDataHash = "unknown";
    private String heldOutError = "unknown";
    private final SortedMap<String, String> notes = new TreeMap<>();

    private Builder(String target, String unit) {
      this.target = Objects.requireNonNull(target, "target");
      this.unit = Objects.requireNonNull(unit, "unit");
    }

    /** Adds the next input column. */
    public Builder feature(Feature feature) {
      features.add(Objects.requireNonNull(feature, "feature"));
      return this;
    }

    /** Sets the SHA-256 of the data learned from, in hexadecimal. */
    public Builder trainingDataHash(String hash) {
      trainingDataHash = Objects.requireNonNull(hash, "hash");
      return this;
    }

    /** Sets the error on held-out data. */
    public Builder heldOutError(String error) {
      heldOutError = Objects.requireNonNull(error, "error");
      return this;
    }

    /** Sets a further property; a later value replaces an earlier one. */
    public Builder note(String name, String value) {
      notes.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
      return this;
    }

    /**
     * Returns the metadata.
     *
     * @throws IllegalArgumentException if there is no feature, or two have the same name
     */
    public ModelMetadata build() {
      long names = features.stream().map(Feature::name).distinct().count();
      if (features.isEmpty() || names != features.size()) {
        throw new IllegalArgumentException(
            "a model's features must be at least one and have different names, but were "
                + features.stream().map(Feature::name).toList());
      }
      return new ModelMetadata(this);
    }
  }
}
