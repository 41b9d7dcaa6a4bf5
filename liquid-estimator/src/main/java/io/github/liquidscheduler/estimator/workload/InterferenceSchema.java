package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelContract;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The schema of a file of the interference model: the columns of {@link PairFeatures}, two answers
 * per row (one for pairs of classes that were measured before, one for all others), and notes with
 * the class history and the error quantiles.
 */
public final class InterferenceSchema {
  /** What the model predicts. */
  public static final String TARGET = "retained_speed";

  /** The answers per row: for classes measured before, for all others. */
  public static final int OUTPUTS = 2;

  private static final String HISTORY = "class_history";
  private static final String FAMILIAR_ERROR = "error_quantile_90.familiar";
  private static final String STRANGE_ERROR = "error_quantile_90.strange";

  private InterferenceSchema() {}

  /** Returns the contract of a loaded file. */
  public static ModelContract contract() {
    return new ModelContract(TARGET, "1", PairFeatures.columns(), OUTPUTS);
  }

  /**
   * Returns metadata with columns and notes.
   *
   * @param columns the columns with the means that stand for what is unknown
   * @param familiarError 90 % quantile of the absolute error on held-out pairs of known classes, by
   *     GPU model
   * @param strangeError the same on families never trained on
   */
  public static ModelMetadata metadata(
      List<Feature> columns,
      ClassHistory history,
      Map<String, Double> familiarError,
      Map<String, Double> strangeError) {
    return ModelMetadata.of(TARGET, "1", columns)
        .withNote(HISTORY, history.toText())
        .withNote(FAMILIAR_ERROR, toText(familiarError))
        .withNote(STRANGE_ERROR, toText(strangeError));
  }

  /**
   * Returns {@code model} if it keeps to all of this.
   *
   * @throws IllegalArgumentException if it does not; it is then closed
   */
  public static ModelFile require(ModelFile model) {
    try {
      model.requires(contract());
      history(model);
      familiarError(model);
      strangeError(model);
      return model;
    } catch (IllegalArgumentException e) {
      model.close();
      throw e;
    }
  }

  /** Returns the class history in a model. */
  public static ClassHistory history(ModelFile model) {
    try {
      ClassHistory history = ClassHistory.fromText(model.metadata().note(HISTORY));
      history.effects().requireFeatures(JobVector.FEATURES);
      return history;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + ", in " + model.owner(), e);
    }
  }

  /** Returns the error quantiles of pairs of known classes, by GPU model. */
  public static SortedMap<String, Double> familiarError(ModelFile model) {
    return quantiles(model, FAMILIAR_ERROR);
  }

  /** Returns the error quantiles of all other pairs, by GPU model. */
  public static SortedMap<String, Double> strangeError(ModelFile model) {
    return quantiles(model, STRANGE_ERROR);
  }

  private static String toText(Map<String, Double> errors) {
    return new TreeMap<>(errors)
        .entrySet().stream()
            .map(error -> error.getKey() + "=" + error.getValue() + "\n")
            .collect(Collectors.joining());
  }

  private static SortedMap<String, Double> quantiles(ModelFile model, String note) {
    SortedMap<String, Double> errors = new TreeMap<>();
    model
        .noteLines(note, InterferenceSchema::quantile)
        .forEach(error -> errors.put(error.getKey(), error.getValue()));
    return errors;
  }

  private static Map.Entry<String, Double> quantile(String line) {
    int equals = line.lastIndexOf('=');
    double error = equals < 1 ? Double.NaN : Double.parseDouble(line.substring(equals + 1));
    if (!(error >= 0)) {
      throw new IllegalArgumentException("an error quantile must be gpu=number of at least 0");
    }
    return Map.entry(line.substring(0, equals), error);
  }
}
