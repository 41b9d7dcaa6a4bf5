package io.github.liquidscheduler.scheduler.performance;

import io.github.liquidscheduler.prediction.PerformancePredictor;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Options for the speeds of jobs by GPU model: where jobs start, how remaining time and attained
 * service are converted, and whether running jobs move. Immutable.
 *
 * <p>A job's expected duration then refers to its fastest GPU model among those that it may use and
 * the cluster has.
 */
public final class Performance {

  /** The factor by which a move's saving must exceed its cost. */
  static final double WORTHWHILE = 10;

  private final PerformancePredictor predictor;
  private final @Nullable Duration pause;

  private Performance(PerformancePredictor predictor, @Nullable Duration pause) {
    this.predictor = Objects.requireNonNull(predictor, "predictor");
    this.pause = pause;
  }

  /**
   * Returns options that use these predictions; running jobs stay where they are.
   *
   * <p>The predictor is only queried. Its answers must stay the same over the scheduler's life, or
   * replays decide differently. Reported speeds correct the predictions for the reporting job.
   */
  public static Performance by(PerformancePredictor predictor) {
    return new Performance(predictor, null);
  }

  /**
   * Returns these options with moves: pre-emptible jobs move to faster GPUs that no waiting job
   * needs, and trade places with jobs that lose less than they gain, if that saves ten times the
   * pause.
   *
   * @param pause the time for which a moving job stands still
   * @throws IllegalArgumentException if {@code pause} is negative
   */
  public Performance moving(Duration pause) {
    if (pause.isNegative()) {
      throw new IllegalArgumentException("a pause must not be negative, but was " + pause);
    }
    return new Performance(predictor, pause);
  }

  /** Returns the predictor. */
  public PerformancePredictor predictor() {
    return predictor;
  }

  /** Returns the pause of a moving job; empty if no job moves. */
  public Optional<Duration> pause() {
    return Optional.ofNullable(pause);
  }

  /** Returns the factor by which a move's saving must exceed its pause. */
  public double worthwhile() {
    return WORTHWHILE;
  }

  /** Returns the options by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("predictor", predictor.getClass().getName());
    if (pause != null) {
      parameters.put("pause", pause.toString());
    }
    return parameters;
  }
}
