package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.workload.SimilaritySchema;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.ModelLimits;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.SimilarityModel;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Predicts what a class of workloads does to another by neural collaborative filtering (IASP).
 *
 * <p>The network (He et al., 2017: biases, an element-wise product of embeddings and a perceptron
 * over them, three of each) is asked once, when it is loaded, for all pairs of its classes on all
 * its GPU models; after that a prediction is a look-up. A class that the network never saw is
 * answered by the nearest batch size of its family, and a stranger by the average class, each with
 * a wider interval.
 *
 * <p>Immutable and thread-safe; only what it remembers of workloads that were asked for changes.
 */
public final class NeuralSimilarity implements SimilarityModel {
  private static final double LEAST = 0.02;
  private static final double MOST = InterferencePredictor.MAX_RETAINED_SPEED;
  private static final double STRANGER_ERROR = 0.35;
  private static final int MOST_REMEMBERED = 4096;

  private final ClassIndex classes;
  private final List<GpuModel> gpus;
  private final PairMatrix matrix;
  private final double[] knownError;
  private final double[] similarError;
  private final IdentityHashMap<Workload, StandIn> standIns = new IdentityHashMap<>();

  /** The known class that stands for another, and how well it does. */
  private record StandIn(int number, Provenance provenance) {}

  private NeuralSimilarity(ModelFile model) {
    model.requires(SimilaritySchema.contract());
    classes = new ClassIndex(SimilaritySchema.classes(model));
    gpus = SimilaritySchema.gpus(model);
    knownError = SimilaritySchema.knownError(model);
    similarError = SimilaritySchema.similarError(model);
    matrix = PairMatrix.of(model, classes.size(), gpus.size());
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

  @Override
  public Prediction retainedSpeed(Workload victim, Workload aggressor, GpuModel gpu) {
    StandIn suffering = standIn(victim);
    StandIn pressing = standIn(aggressor);
    int known = gpus.indexOf(gpu);
    Provenance worse =
        suffering.provenance.compareTo(pressing.provenance) >= 0
            ? suffering.provenance
            : pressing.provenance;
    double value = Math.clamp(mean(suffering.number, pressing.number, known), LEAST, MOST);
    double error = error(worse, known);
    return new Prediction(
        value,
        Math.max(LEAST, value - error),
        Math.min(MOST, value + error),
        known < 0 ? Provenance.DEFAULT : worse);
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
  private synchronized StandIn standIn(Workload workload) {
    StandIn remembered = standIns.get(workload);
    if (remembered != null) {
      return remembered;
    }
    if (standIns.size() >= MOST_REMEMBERED) {
      standIns.clear();
    }
    StandIn found = findStandIn(WorkloadClass.of(workload));
    standIns.put(workload, found);
    return found;
  }

  /** Returns a class itself if it is known, else the nearest of its family, else the average. */
  private StandIn findStandIn(WorkloadClass workload) {
    OptionalInt known = classes.numberOf(workload);
    if (known.isPresent()) {
      return new StandIn(known.getAsInt(), Provenance.LEARNED);
    }
    OptionalInt relative = classes.nearestInFamily(workload);
    return relative.isPresent()
        ? new StandIn(relative.getAsInt(), Provenance.SIMILAR)
        : new StandIn(matrix.everyone(), Provenance.DEFAULT);
  }
}
