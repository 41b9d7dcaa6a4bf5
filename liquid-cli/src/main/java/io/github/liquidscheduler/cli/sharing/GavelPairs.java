package io.github.liquidscheduler.cli.sharing;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;

/** Measured co-locations, of which a predictor may see a part. */
public final class GavelPairs {

  private final List<Measurement> measurements;
  private final Map<Kind, ColocationProfile> profiles = new LinkedHashMap<>();
  private final Map<List<Kind>, Double> retained = new LinkedHashMap<>();

  private GavelPairs(List<Measurement> measurements) {
    this.measurements = measurements;
    for (Measurement measurement : measurements) {
      profiles.putIfAbsent(Kind.of(measurement.victim(), measurement.gpu()), measurement.victim());
      if (measurement.isMeasured()) {
        retained.put(
            key(measurement.gpu(), measurement.victim(), measurement.coRunner()),
            measurement.retainedSpeed());
      }
    }
  }

  /** Reads Gavel's table. */
  public static GavelPairs read(Path file) {
    try {
      return new GavelPairs(GavelMeasurements.read(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read '" + file + "': " + e, e);
    }
  }

  /** Returns what is known of a job alone; its workload if nothing was measured. */
  ColocationProfile profile(JobSpec job, GpuModel gpu) {
    ColocationProfile stated = ColocationProfile.of(job.workload());
    return profiles.getOrDefault(Kind.of(stated, gpu), stated);
  }

  /**
   * Returns what is known of a job alone, with the utilisation that explains what it loses beside
   * another like it: nothing is lost until two need more than the whole GPU, so that one which
   * keeps {@code s} of its speed uses {@code 1 / (2 s)} of it. Jobs of which two do not fit use all
   * of it. Gavel measured no utilisation; this is more than those who look at it are told
   * elsewhere.
   */
  ColocationProfile loadedProfile(JobSpec job, GpuModel gpu) {
    ColocationProfile alone = profile(job, gpu);
    OptionalDouble beside = retained(gpu, alone, alone);
    double load = beside.isPresent() ? Math.min(1, 1 / (2 * beside.getAsDouble())) : 1;
    return new ColocationProfile(
        alone.workload(),
        alone.isolatedRate(),
        load,
        alone.memoryBandwidthUtilization(),
        alone.memoryBytes());
  }

  /** Returns the number of directions of pairs that ran. */
  public int size() {
    return retained.size();
  }

  /** Returns the part of its speed that a job keeps beside another; empty if they did not fit. */
  OptionalDouble retained(GpuModel gpu, ColocationProfile victim, ColocationProfile other) {
    Double speed = retained.get(key(gpu, victim, other));
    return speed == null ? OptionalDouble.empty() : OptionalDouble.of(speed);
  }

  /** Returns a predictor that knows every pair, and is sure. */
  public InterferencePredictor oracle() {
    return new Oracle(this);
  }

  private static List<Kind> key(GpuModel gpu, ColocationProfile victim, ColocationProfile other) {
    return List.of(Kind.of(victim, gpu), Kind.of(other, gpu));
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
    Map<List<Kind>, List<Measurement>> pairs = new LinkedHashMap<>();
    for (Measurement measurement : measurements) {
      Kind victim = Kind.of(measurement.victim(), measurement.gpu());
      Kind other = Kind.of(measurement.coRunner(), measurement.gpu());
      List<Kind> pair =
          victim.name().compareTo(other.name()) <= 0
              ? List.of(victim, other)
              : List.of(other, victim);
      pairs.computeIfAbsent(pair, key -> new ArrayList<>()).add(measurement);
    }
    List<List<Measurement>> shuffled = new ArrayList<>(pairs.values());
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled.subList(0, (int) Math.round(part * shuffled.size())).stream()
        .flatMap(List::stream)
        .toList();
  }

  /** What was measured; of several co-runners the product. */
  private record Oracle(GavelPairs pairs) implements InterferencePredictor {
    @Override
    public Prediction retainedSpeed(ColocationQuery colocation) {
      double product = 1;
      for (ColocationProfile other : colocation.coRunners()) {
        product *= pairs.retained(colocation.gpu(), colocation.victim(), other).orElse(0.02);
      }
      return Prediction.certain(product, Provenance.MEASURED);
    }
  }

  /** A class of workloads on a GPU model. */
  private record Kind(String name, String gpu) {
    static Kind of(ColocationProfile profile, GpuModel gpu) {
      return new Kind(
          WorkloadClass.of(profile.workload()).toString(), gpu.name().toLowerCase(Locale.ROOT));
    }
  }
}
