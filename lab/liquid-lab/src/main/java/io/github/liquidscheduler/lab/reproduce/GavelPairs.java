package io.github.liquidscheduler.lab.reproduce;

import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.interference.InterferenceTrainer;
import io.github.liquidscheduler.training.measurement.GavelMeasurements;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.similarity.SimilarityTrainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Measured co-locations, of which a predictor may see a part. */
public final class GavelPairs {

  private final List<Measurement> measurements;

  private GavelPairs(List<Measurement> measurements) {
    this.measurements = measurements;
  }

  /** Reads Gavel's table. */
  public static GavelPairs read(Path file) {
    try {
      return new GavelPairs(GavelMeasurements.read(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read '" + file + "': " + e, e);
    }
  }

  /**
   * Returns a predictor trained on a part of the pairs, both directions of a pair together.
   *
   * @param part from 0 to 1
   */
  public CompositePredictor predictorFrom(double part, long seed) {
    List<Measurement> seen = sample(part, seed);
    String origin = "a part of the measured pairs";
    byte[] similarity = new SimilarityTrainer(seed).train(seen, origin);
    byte[] interference = new InterferenceTrainer(seed).train(seen, origin);
    return CompositePredictor.builder()
        .model(interference, origin)
        .similarity(NeuralSimilarity.of(similarity, origin))
        .build();
  }

  private List<Measurement> sample(double part, long seed) {
    List<List<Measurement>> shuffled =
        new ArrayList<>(Multimaps.asMap(Multimaps.index(measurements, GavelPairs::pair)).values());
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled.subList(0, (int) Math.round(part * shuffled.size())).stream()
        .flatMap(List::stream)
        .toList();
  }

  private static List<Kind> pair(Measurement measurement) {
    Kind victim = Kind.of(measurement.victim(), measurement.gpu());
    Kind other = Kind.of(measurement.coRunner(), measurement.gpu());
    return victim.name().compareTo(other.name()) <= 0
        ? List.of(victim, other)
        : List.of(other, victim);
  }

  /** A class of workloads on a GPU model. */
  private record Kind(String name, String gpu) {
    static Kind of(ColocationProfile profile, GpuModel gpu) {
      return new Kind(
          WorkloadClass.of(profile.workload()).toString(), gpu.name().toLowerCase(Locale.ROOT));
    }
  }
}
