package io.github.liquidscheduler.estimator.task.regression;

import io.github.liquidscheduler.estimator.onnx.BatchScorer;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.prediction.Provenance;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A trained model of resource needs. Per target it holds two regressions: one for families it was
 * trained on, one that never looks at the family's name, for all others; each with the errors it
 * made on data held out (whole families, for the second).
 *
 * <p>Not thread-safe.
 */
public final class ResourceModel implements AutoCloseable {
  /** What the metadata of such a model says it predicts. */
  public static final String TARGET = "task_resources";

  /** The unit that the metadata states. */
  public static final String UNIT = "log1p_or_fraction";

  /** The note that lists the columns of the targets, divided by blanks. */
  public static final String TARGETS_NOTE = "targets";

  private static final String SHIPPED = "resources.onnx";

  private final ModelFile file;
  private final BatchScorer scorer;
  private final FeatureSchema schema;
  private final List<ResourceTarget> targets;
  private final List<Calibration> calibrations = new ArrayList<>();
  private final float[] answers;

  private ResourceModel(ModelFile file) {
    ModelMetadata metadata = file.metadata().requiresTarget(TARGET, UNIT, file.owner());
    this.file = file;
    schema = FeatureSchema.of(metadata.features(), file.owner());
    targets = targets(metadata, file.owner());
    if (file.outputs() != 2 * targets.size()) {
      throw new IllegalArgumentException(
          "the model must return two numbers for each of %d targets, but returns %d, in %s"
              .formatted(targets.size(), file.outputs(), file.owner()));
    }
    for (boolean isKnown : new boolean[] {true, false}) {
      for (ResourceTarget target : targets) {
        String line = metadata.note(calibrationNote(target, isKnown));
        calibrations.add(Calibration.fromLine(line, file.owner()));
      }
    }
    scorer = file.scorer();
    answers = new float[file.outputs()];
  }

  /**
   * Returns the model in {@code file}, which is closed with it.
   *
   * @throws IllegalArgumentException if it is not a model of resource needs
   */
  public static ResourceModel of(ModelFile file) {
    try {
      return new ResourceModel(file);
    } catch (IllegalArgumentException e) {
      file.close();
      throw e;
    }
  }

  /** Returns the model that ships with Liquid. */
  public static ResourceModel shipped() {
    return of(ModelFile.shipped(ResourceModel.class, SHIPPED));
  }

  /** Returns the name of the note that holds a calibration. */
  public static String calibrationNote(ResourceTarget target, boolean isKnown) {
    return "calibration." + target.column() + (isKnown ? ".known" : ".unseen");
  }

  /** Returns the metadata of the file. */
  public ModelMetadata metadata() {
    return file.metadata();
  }

  /** Returns the columns. */
  public FeatureSchema schema() {
    return schema;
  }

  /** Returns the targets that were learned. */
  public List<ResourceTarget> targets() {
    return targets;
  }

  /** Returns the known errors of the model. */
  public Calibration calibration(ResourceTarget target, boolean isKnown) {
    return calibrations.get(targets.indexOf(target) + (isKnown ? 0 : targets.size()));
  }

  @Override
  public void close() {
    scorer.close();
    file.close();
  }

  /** Returns the model's answers for the targets that it learned. */
  public Map<ResourceTarget, ScaledAnswer> answers(TaskProfile task, TaskFacts facts) {
    float[] row = new float[schema.width()];
    schema.fill(row, task, facts);
    scorer.score(row, 1, answers);
    boolean isKnown = schema.knowsFamily(task);
    Provenance provenance = isKnown ? Provenance.LEARNED : Provenance.SIMILAR;
    Map<ResourceTarget, ScaledAnswer> result = new EnumMap<>(ResourceTarget.class);
    for (int i = 0; i < targets.size(); i++) {
      int column = i + (isKnown ? 0 : targets.size());
      result.put(
          targets.get(i), new ScaledAnswer(answers[column], calibrations.get(column), provenance));
    }
    return result;
  }

  private static List<ResourceTarget> targets(ModelMetadata metadata, String owner) {
    List<ResourceTarget> targets = new ArrayList<>();
    for (String column : metadata.note(TARGETS_NOTE).split(" ", -1)) {
      targets.add(
          ResourceTarget.ofColumn(column)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "unknown target '" + column + "', in " + owner)));
    }
    return List.copyOf(targets);
  }
}
