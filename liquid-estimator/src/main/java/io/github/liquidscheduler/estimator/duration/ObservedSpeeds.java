package io.github.liquidscheduler.estimator.duration;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Predicts the throughput that jobs like this one were seen to have: of the same family and batch,
 * on the same GPU model. On as many GPUs as far apart it is the median of what was seen last; else
 * it is that of the nearest number of GPUs, in proportion, which is known to no better than a
 * factor of {@value #LESS_SURE}; else it is unknown (0, and anything up to infinity).
 *
 * <p>Not thread-safe.
 */
public final class ObservedSpeeds implements PerformancePredictor {
  private static final double LESS_SURE = 2;
  private static final double LOW = 0.05;
  private static final double HIGH = 0.95;
  private static final Prediction UNKNOWN =
      new Prediction(0, 0, Double.POSITIVE_INFINITY, Provenance.DEFAULT);

  /** What is run on what. */
  private record Kind(String family, int batch, GpuModel gpu) {}

  /** How many GPUs how far apart. */
  private record Extent(int gpus, String widestLevel) {}

  private final Map<Kind, Map<Extent, RecentTimes>> seen = new LinkedHashMap<>();

  /** Makes a predictor that has seen nothing yet. */
  public ObservedSpeeds() {}

  @Override
  public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
    Map<Extent, RecentTimes> extents = seen.getOrDefault(kind(job, gpu), Map.of());
    RecentTimes same = extents.get(new Extent(gpus, widestLevel));
    return same != null ? median(same) : nearest(extents, gpus).orElse(UNKNOWN);
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

  private static Prediction median(RecentTimes speeds) {
    double[] sorted = speeds.longerThan(0);
    return new Prediction(
        RecentTimes.quantile(sorted, 0.5),
        RecentTimes.quantile(sorted, LOW),
        RecentTimes.quantile(sorted, HIGH),
        Provenance.MEASURED);
  }

  private static Optional<Prediction> nearest(Map<Extent, RecentTimes> extents, int gpus) {
    return extents.entrySet().stream()
        .min(Comparator.comparingInt(entry -> Math.abs(entry.getKey().gpus() - gpus)))
        .map(entry -> scaled(median(entry.getValue()), (double) gpus / entry.getKey().gpus()));
  }

  private static Prediction scaled(Prediction other, double factor) {
    return new Prediction(
        other.value() * factor,
        other.low() * factor / LESS_SURE,
        other.high() * factor * LESS_SURE,
        Provenance.SIMILAR);
  }
}
