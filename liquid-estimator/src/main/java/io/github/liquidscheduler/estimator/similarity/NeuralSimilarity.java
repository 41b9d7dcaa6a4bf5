package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.similarity.Resemblance.Share;
import io.github.liquidscheduler.estimator.workload.SimilaritySchema;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.prediction.ModelLimits;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.SimilarityModel;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Predicts what a class of workloads does to another by neural collaborative filtering (IASP).
 *
 * <p>The network (He et al., 2017: biases, an element-wise product of embeddings and a perceptron
 * over them, three of each) is asked once, when it is loaded, for all pairs of its classes on all
 * its GPU models; after that a prediction is a look-up. A pair that was observed is answered by
 * what was observed, drawn to the network by the inverse of their variances. A class that the
 * network never saw is answered by the three known classes that its probes resemble, one that was
 * never probed by the nearest batch size of its family, and a stranger by the average class, each
 * with a wider interval.
 *
 * <p>Immutable and thread-safe; only what it remembers of workloads that were asked for changes.
 */
public final class NeuralSimilarity implements SimilarityModel {
  private static final double LEAST = 0.02;
  private static final double MEASUREMENT_ERROR = 0.05;
  private static final double STRANGER_ERROR = 0.35;
  private static final int MOST_REMEMBERED = 4096;

  private final ClassIndex classes;
  private final List<GpuModel> gpus;
  private final List<WorkloadClass> references;
  private final PairMatrix matrix;
  private final double[] knownError;
  private final double[] similarError;
  private final ColdStart coldStart;
  private final ObservedPairs observed;
  private final IdentityHashMap<Workload, Resemblance> resemblances = new IdentityHashMap<>();

  private NeuralSimilarity(ModelFile model) {
    model.requires(SimilaritySchema.contract());
    classes = new ClassIndex(SimilaritySchema.classes(model));
    gpus = SimilaritySchema.gpus(model);
    references = SimilaritySchema.references(model);
    knownError = SimilaritySchema.knownError(model);
    similarError = SimilaritySchema.similarError(model);
    matrix = PairMatrix.of(model, classes.size(), gpus.size());
    coldStart = new ColdStart(classes, gpus, matrix);
    observed = ObservedPairs.NONE;
  }

  private NeuralSimilarity(NeuralSimilarity other, ColdStart coldStart, ObservedPairs observed) {
    classes = other.classes;
    gpus = other.gpus;
    references = other.references;
    matrix = other.matrix;
    knownError = other.knownError;
    similarError = other.similarError;
    this.coldStart = coldStart;
    this.observed = observed;
  }

  /**
   * Returns the predictor in {@code file}.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if it is no similarity model
   */
  public static NeuralSimilarity read(Path file) throws IOException {
    return read(file, ModelLimits.DEFAULT);
  }

  /**
   * Returns the predictor in {@code file}, which is refused if it is larger, or does more, than
   * {@code limits} allow.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if it is no similarity model
   */
  public static NeuralSimilarity read(Path file, ModelLimits limits) throws IOException {
    return of(ModelFile.read(file, Set.of(), limits));
  }

  /**
   * Returns the predictor in {@code onnx}.
   *
   * @param owner what the bytes are, for messages
   * @throws IllegalArgumentException if they are no similarity model
   */
  public static NeuralSimilarity of(byte[] onnx, String owner) {
    return of(onnx, owner, ModelLimits.DEFAULT);
  }

  /**
   * Returns the predictor in {@code onnx}, which is refused if it is larger, or does more, than
   * {@code limits} allow.
   *
   * @param owner what the bytes are, for messages
   * @throws IllegalArgumentException if they are no similarity model
   */
  public static NeuralSimilarity of(byte[] onnx, String owner, ModelLimits limits) {
    return of(ModelFile.of(onnx, owner, Set.of(), limits));
  }

  /** The file is no longer needed afterwards: all that it says of pairs was asked. */
  private static NeuralSimilarity of(ModelFile file) {
    try (file) {
      return new NeuralSimilarity(file);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(
          "the model must answer for all its classes, but does not: " + file.owner(), e);
    }
  }

  /** Returns the predictor that is shipped: see {@code docs/predictions.md}. */
  public static NeuralSimilarity shipped() {
    return of(ModelFile.shipped(NeuralSimilarity.class, "similarity.onnx"));
  }

  /** Returns the classes that a new class should be probed against, the most telling first. */
  public List<Workload> references() {
    return references.stream().map(WorkloadClass::toWorkload).toList();
  }

  @Override
  public Prediction retainedSpeed(Workload victim, Workload aggressor, GpuModel gpu) {
    Resemblance suffering = resemblance(victim);
    Resemblance pressing = resemblance(aggressor);
    Prediction predicted = predict(suffering, pressing, gpu);
    if (observed.isEmpty()) {
      return predicted;
    }
    ObservedMean seen = observed.get(new PairCell(suffering.workload(), pressing.workload(), gpu));
    return seen == null ? predicted : blend(predicted, seen);
  }

  @Override
  public NeuralSimilarity observe(
      Workload victim, Workload aggressor, GpuModel gpu, double retainedSpeed) {
    if (!(retainedSpeed > 0 && retainedSpeed <= InterferencePredictor.MAX_RETAINED_SPEED)) {
      throw new IllegalArgumentException(
          "a retained speed must be in (0, 1.05], but was %s, for %s beside %s"
              .formatted(retainedSpeed, victim, aggressor));
    }
    PairCell cell = new PairCell(WorkloadClass.of(victim), WorkloadClass.of(aggressor), gpu);
    return with(cell, observed.after(cell, retainedSpeed));
  }

  private NeuralSimilarity with(PairCell cell, ObservedMean seen) {
    return new NeuralSimilarity(this, coldStart.with(cell, seen.mean()), observed.with(cell, seen));
  }

  @Override
  public List<LearnedState> saveState() {
    return observed.save();
  }

  @Override
  public NeuralSimilarity restoreState(List<LearnedState> saved) {
    NeuralSimilarity restored =
        new NeuralSimilarity(this, new ColdStart(classes, gpus, matrix), ObservedPairs.NONE);
    for (LearnedState value : saved) {
      PairCell cell = ObservedPairs.cell(value);
      restored = restored.with(cell, restored.observed.restored(value));
    }
    return restored;
  }

  private Prediction predict(Resemblance victim, Resemblance aggressor, GpuModel model) {
    int gpu = gpus.indexOf(model);
    double value = 0;
    for (Share v : victim.shares()) {
      for (Share a : aggressor.shares()) {
        value += v.weight() * a.weight() * mean(v.number(), a.number(), gpu);
      }
    }
    Provenance provenance = worse(victim.provenance(), aggressor.provenance());
    return prediction(value, error(provenance, gpu), gpu < 0 ? Provenance.DEFAULT : provenance);
  }

  private double mean(int victim, int aggressor, int gpu) {
    if (gpu >= 0) {
      return matrix.mean(victim, aggressor, gpu);
    }
    double sum = 0;
    for (int each = 0; each < gpus.size(); each++) {
      sum += matrix.mean(victim, aggressor, each);
    }
    return sum / gpus.size();
  }

  private double error(Provenance provenance, int gpu) {
    if (gpu < 0 || provenance == Provenance.DEFAULT) {
      return STRANGER_ERROR;
    }
    return provenance == Provenance.LEARNED ? knownError[gpu] : similarError[gpu];
  }

  /** Remembers by identity: equality would cost what this is to save. */
  private synchronized Resemblance resemblance(Workload workload) {
    Resemblance remembered = resemblances.get(workload);
    if (remembered != null) {
      return remembered;
    }
    if (resemblances.size() >= MOST_REMEMBERED) {
      resemblances.clear();
    }
    Resemblance found = coldStart.resemblance(WorkloadClass.of(workload));
    resemblances.put(workload, found);
    return found;
  }

  /** Blends by inverse variance; the 90 % quantiles stand for the standard deviations. */
  private static Prediction blend(Prediction predicted, ObservedMean seen) {
    double predictedVariance = Math.pow(predicted.width() / 2, 2);
    double seenVariance = MEASUREMENT_ERROR * MEASUREMENT_ERROR / seen.count();
    double weight = predictedVariance / (predictedVariance + seenVariance);
    double value = weight * seen.mean() + (1 - weight) * predicted.value();
    double error = Math.sqrt(predictedVariance * seenVariance / (predictedVariance + seenVariance));
    return prediction(value, error, Provenance.MEASURED);
  }

  private static Prediction prediction(double raw, double error, Provenance provenance) {
    double most = InterferencePredictor.MAX_RETAINED_SPEED;
    double value = Math.clamp(raw, LEAST, most);
    return new Prediction(
        value, Math.max(LEAST, value - error), Math.min(most, value + error), provenance);
  }

  private static Provenance worse(Provenance one, Provenance other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
