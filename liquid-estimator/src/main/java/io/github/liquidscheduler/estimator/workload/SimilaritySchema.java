package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelContract;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The schema of a file of the similarity model: the columns it reads, and the notes that list its
 * classes, GPU models, reference classes and error quantiles.
 */
public final class SimilaritySchema {
  /** What the model predicts. */
  public static final String TARGET = "retained_speed_of_class_pair";

  /** The members of the ensemble, hence the answers per row. */
  public static final int MEMBERS = 3;

  private static final String CLASSES = "classes";
  private static final String GPUS = "gpus";
  private static final String REFERENCES = "references";
  private static final String KNOWN_ERROR = "error_quantile_90.known";
  private static final String SIMILAR_ERROR = "error_quantile_90.similar";

  private static final List<Feature> COLUMNS =
      List.of(Feature.index("victim_on_gpu"), Feature.index("aggressor_on_gpu"));

  private SimilaritySchema() {}

  /** Returns the contract of a loaded file. */
  public static ModelContract contract() {
    return new ModelContract(TARGET, "1", COLUMNS, MEMBERS);
  }

  /**
   * Returns metadata with columns and notes.
   *
   * @param classes the classes in the order of their numbers
   * @param gpus the GPU models in the order of their numbers; the index of a class on a GPU model
   *     is {@code class × gpus + gpu}
   * @param references the classes that profiles are taken against
   * @param knownError 90 % quantile of the absolute error on held-out pairs of known classes, per
   *     GPU model
   * @param similarError the same for classes that were never trained on
   */
  public static ModelMetadata metadata(
      List<WorkloadClass> classes,
      List<GpuModel> gpus,
      List<WorkloadClass> references,
      double[] knownError,
      double[] similarError) {
    return ModelMetadata.of(TARGET, "1", COLUMNS)
        .withNote(CLASSES, lines(classes))
        .withNote(GPUS, lines(gpus))
        .withNote(REFERENCES, lines(references))
        .withNote(KNOWN_ERROR, numbers(knownError))
        .withNote(SIMILAR_ERROR, numbers(similarError));
  }

  /** Returns the classes of a model in the order of their numbers. */
  public static List<WorkloadClass> classes(ModelFile model) {
    return model.noteLines(CLASSES, WorkloadClass::parse);
  }

  /** Returns the GPU models of a model in the order of their numbers. */
  public static List<GpuModel> gpus(ModelFile model) {
    return model.noteLines(GPUS, GpuModel::of);
  }

  /** Returns the error quantiles of known classes, per GPU model. */
  public static double[] knownError(ModelFile model) {
    return quantiles(model, KNOWN_ERROR);
  }

  /** Returns the error quantiles of classes that were never trained on, per GPU model. */
  public static double[] similarError(ModelFile model) {
    return quantiles(model, SIMILAR_ERROR);
  }

  private static double[] quantiles(ModelFile model, String note) {
    double[] values =
        model.noteLines(note, Double::valueOf).stream().mapToDouble(value -> value).toArray();
    if (values.length != gpus(model).size()
        || !Arrays.stream(values).allMatch(value -> value >= 0)) {
      throw new IllegalArgumentException(
          "the note '%s' must have one number of at least 0 per GPU model, but has %s, in %s"
              .formatted(note, Arrays.toString(values), model.owner()));
    }
    return values;
  }

  private static String lines(List<?> values) {
    return String.join("\n", values.stream().map(Object::toString).toList());
  }

  private static String numbers(double[] values) {
    return Arrays.stream(values).mapToObj(value -> value + "\n").collect(Collectors.joining());
  }
}
