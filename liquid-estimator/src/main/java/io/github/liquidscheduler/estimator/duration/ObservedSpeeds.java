package io.github.liquidscheduler.estimator.duration;

import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.performance.FittedSpeeds;
import io.github.liquidscheduler.estimator.performance.SpeedFile;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Predicts the throughput that jobs like this one were seen to have: of the same family and batch
 * (or none stated), on the same GPU model. On as many GPUs as far apart it is the median of what
 * was seen last, with the 5 % and 95 % quantiles. Else it is in proportion to that of the number of
 * GPUs that is nearest by ratio, as far apart if there is one such, and the ends of the interval
 * are off by another factor of {@value #LESS_SURE}. Of what was never seen on this GPU model it
 * says nothing (0, from 0 to infinity, by {@linkplain Provenance#DEFAULT default}).
 *
 * <p>The last 256 speeds of each are kept. Not thread-safe.
 */
public final class ObservedSpeeds implements PerformancePredictor {
  private static final double LESS_SURE = 2;
  private static final Prediction UNKNOWN =
      new Prediction(0, 0, Double.POSITIVE_INFINITY, Provenance.DEFAULT);

  /** What is run on what. */
  private record Kind(String family, int batch, GpuModel gpu) {}

  /** How many GPUs how far apart. */
  private record Extent(int gpus, String widestLevel) {

    double ratio(Extent other) {
      return (double) Math.max(gpus, other.gpus) / Math.min(gpus, other.gpus);
    }

    /** The nearest first; whatever the order they were seen in, as no two of them are equal. */
    Comparator<Extent> byDistance() {
      return Comparator.comparingDouble(this::ratio)
          .thenComparing(other -> !other.widestLevel.equals(widestLevel))
          .thenComparingInt(Extent::gpus)
          .thenComparing(Extent::widestLevel);
    }
  }

  private final Map<Kind, Map<Extent, RecentTimes>> seen = new LinkedHashMap<>();

  /** Makes a predictor that has seen nothing yet. */
  public ObservedSpeeds() {}

  /**
   * Returns a predictor that fits a {@linkplain
   * io.github.liquidscheduler.prediction.ThroughputModel model} to what it observes, one for each
   * model family, precision and GPU model. From two sizes or batches on it predicts all others.
   *
   * <p>When the last five speeds of jobs of a kind have left its model, in their median, by more
   * than {@code drift}, it forgets what was before and {@linkplain
   * PerformancePredictor#needsProfile wants} such a job profiled, until two sizes were observed.
   *
   * @param drift the share of the predicted time by which observed times may leave it, such as 0.2
   * @throws IllegalArgumentException if {@code drift} is not positive and finite
   */
  public static PerformancePredictor fitted(double drift) {
    return new FittedSpeeds(new ObservedSpeeds(), drift);
  }

  /**
   * Returns a {@linkplain #fitted predictor} that answers by the models in an ONNX file for jobs
   * that it has not observed at two sizes. Close it.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if it holds no throughput models, or {@code drift} is not
   *     positive and finite
   */
  public static PerformancePredictor fitted(Path file, double drift) throws IOException {
    return new FittedSpeeds(SpeedFile.of(ModelFile.read(file)), drift);
  }

  @Override
  public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
    Extent asked = new Extent(gpus, widestLevel);
    Map<Extent, RecentTimes> extents = seen.getOrDefault(kind(job, gpu), Map.of());
    return extents.entrySet().stream()
        .min(Map.Entry.comparingByKey(asked.byDistance()))
        .map(nearest -> answer(asked, nearest.getKey(), nearest.getValue()))
        .orElse(UNKNOWN);
  }

  @Override
  public void observe(
      JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {
    if (!(iterationsPerSecond > 0 && Double.isFinite(iterationsPerSecond))) {
      throw new IllegalArgumentException(
          "iterations per second must be positive and finite, but were %s, for job '%s'"
              .formatted(iterationsPerSecond, job.id()));
    }
    seen.computeIfAbsent(kind(job, gpu), kind -> new LinkedHashMap<>())
        .computeIfAbsent(new Extent(gpus, widestLevel), extent -> new RecentTimes())
        .add(iterationsPerSecond);
  }

  private static Kind kind(JobSpec job, GpuModel gpu) {
    return new Kind(job.workload().family(), job.workload().batchSize().orElse(0), gpu);
  }

  private static Prediction answer(Extent asked, Extent nearest, RecentTimes speeds) {
    Prediction there = RecentTimes.median(speeds.longerThan(0), Provenance.MEASURED);
    return nearest.equals(asked)
        ? there
        : inProportion(there, (double) asked.gpus() / nearest.gpus());
  }

  private static Prediction inProportion(Prediction other, double factor) {
    return new Prediction(
        other.value() * factor,
        other.low() * factor / LESS_SURE,
        other.high() * factor * LESS_SURE,
        Provenance.SIMILAR);
  }
}
