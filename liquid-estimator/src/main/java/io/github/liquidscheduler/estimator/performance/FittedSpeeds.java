package io.github.liquidscheduler.estimator.performance;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.ThroughputModel;
import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Predicts throughput by a model for each kind of jobs that is fitted to what was observed. While a
 * kind was observed at one size only, another predictor answers, if it knows the kind.
 *
 * <p>Not thread-safe.
 */
public final class FittedSpeeds implements PerformancePredictor {

  /** The least that a prediction is taken to be off by, as the logarithm of a factor. */
  private static final double LEAST_SPREAD = 0.1;

  /** Of how many standard deviations the ends of a 90 % interval are. */
  private static final double DEVIATIONS = 1.645;

  /** By how much more a prediction is off at a size that no point is near. */
  private static final double LESS_SURE = Math.log(2);

  private final Map<WorkloadKey, SpeedHistory> histories = new LinkedHashMap<>();
  private final PerformancePredictor prior;
  private final double drift;

  /**
   * Makes a predictor that has observed nothing yet.
   *
   * @param prior who answers for what was not observed; this predictor closes it
   * @param drift by which share of the predicted time observed times may leave it before jobs are
   *     to be profiled again
   * @throws IllegalArgumentException if {@code drift} is not positive and finite
   */
  public FittedSpeeds(PerformancePredictor prior, double drift) {
    if (!(drift > 0 && drift < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("drift must be positive and finite, but was " + drift);
    }
    this.prior = prior;
    this.drift = drift;
  }

  @Override
  public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
    Replicas replicas = WorkloadKey.replicas(gpus, widestLevel);
    SpeedHistory history = histories.get(WorkloadKey.of(job, gpu));
    if (history != null && history.isTelling()) {
      return fitted(history, replicas, WorkloadKey.localBatch(job, gpus));
    }
    Prediction before = prior.throughput(job, gpu, gpus, widestLevel);
    return history == null || before.provenance() != Provenance.DEFAULT
        ? before
        : fitted(history, replicas, WorkloadKey.localBatch(job, gpus));
  }

  private static Prediction fitted(SpeedHistory history, Replicas replicas, double localBatch) {
    ThroughputModel model = history.model().orElseThrow();
    double speed = 1 / model.iterationSeconds(replicas, localBatch);
    boolean isNear = history.points().stream().anyMatch(point -> isNear(point, replicas));
    double error = DEVIATIONS * ThroughputFit.error(model, history.points());
    double spread = Math.exp(Math.max(LEAST_SPREAD, error) + (isNear ? 0 : LESS_SURE));
    return new Prediction(
        speed, speed / spread, speed * spread, isNear ? Provenance.LEARNED : Provenance.SIMILAR);
  }

  /** Whether a point was as far apart, on at least half as many GPUs. */
  private static boolean isNear(ThroughputPoint point, Replicas replicas) {
    return 2 * point.replicas().gpus() >= replicas.gpus()
        && point.replicas().nodes() >= replicas.nodes();
  }

  @Override
  public void observe(
      JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {
    if (!(iterationsPerSecond > 0 && Double.isFinite(iterationsPerSecond))) {
      throw new IllegalArgumentException(
          "iterations per second must be positive and finite, but were %s, for job '%s'"
              .formatted(iterationsPerSecond, job.id()));
    }
    Prediction predicted = throughput(job, gpu, gpus, widestLevel);
    boolean isKnown =
        predicted.value() > 0 && predicted.provenance().compareTo(Provenance.SIMILAR) < 0;
    histories
        .computeIfAbsent(WorkloadKey.of(job, gpu), key -> new SpeedHistory(drift))
        .add(
            new ThroughputPoint(
                WorkloadKey.replicas(gpus, widestLevel),
                WorkloadKey.localBatch(job, gpus),
                1 / iterationsPerSecond),
            isKnown ? OptionalDouble.of(1 / predicted.value()) : OptionalDouble.empty());
    prior.observe(job, gpu, gpus, widestLevel, iterationsPerSecond);
  }

  @Override
  public Optional<ThroughputModel> model(JobSpec job, GpuModel gpu) {
    SpeedHistory history = histories.get(WorkloadKey.of(job, gpu));
    Optional<ThroughputModel> before =
        history != null && history.isTelling() ? Optional.empty() : prior.model(job, gpu);
    return before.or(() -> Optional.ofNullable(history).flatMap(SpeedHistory::model));
  }

  @Override
  public boolean needsProfile(JobSpec job, GpuModel gpu) {
    SpeedHistory history = histories.get(WorkloadKey.of(job, gpu));
    return history != null && history.hasDrifted();
  }

  @Override
  public void close() {
    prior.close();
  }
}
