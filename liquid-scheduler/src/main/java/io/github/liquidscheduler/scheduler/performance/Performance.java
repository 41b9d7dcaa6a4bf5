package io.github.liquidscheduler.scheduler.performance;

import io.github.liquidscheduler.prediction.PerformancePredictor;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler makes of the speeds of jobs on each GPU model: where jobs start, what their
 * remaining time and their attained service are worth, and whether they move while they run.
 * Immutable.
 *
 * <p>The expected duration of a job is then that on the GPU model on which it is fastest, of those
 * that it may use and the cluster has.
 */
public final class Performance {

  /** How many times what moving costs it has to save. */
  static final double WORTHWHILE = 10;

  private final PerformancePredictor predictor;
  private final @Nullable Duration pause;

  private Performance(PerformancePredictor predictor, @Nullable Duration pause) {
    this.predictor = Objects.requireNonNull(predictor, "predictor");
    this.pause = pause;
  }

  /**
   * Returns what it makes of these predictions; running jobs stay where they are.
   *
   * <p>The scheduler only asks the predictor. It must give the same answers as long as the
   * scheduler lives, or replays decide otherwise. Speeds that jobs report correct what is predicted
   * of the job itself.
   */
  public static Performance by(PerformancePredictor predictor) {
    return new Performance(predictor, null);
  }

  /**
   * Returns the same, but pre-emptible jobs move to faster GPUs that nobody waits for, and trade
   * places with others that lose less than they gain, if that saves ten times the time for which
   * they stand still.
   *
   * @param pause for how long a job stands still that moves
   * @throws IllegalArgumentException if {@code pause} is negative
   */
  public Performance moving(Duration pause) {
    if (pause.isNegative()) {
      throw new IllegalArgumentException("a pause must not be negative, but was " + pause);
    }
    return new Performance(predictor, pause);
  }

  /** Returns who predicts how fast jobs are. */
  public PerformancePredictor predictor() {
    return predictor;
  }

  /** Returns for how long a job stands still that moves; empty if none moves. */
  public Optional<Duration> pause() {
    return Optional.ofNullable(pause);
  }

  /** Returns how many times as long as its pause a move has to save, at least. */
  public double worthwhile() {
    return WORTHWHILE;
  }

  /** Returns what decides, by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("predictor", predictor.getClass().getName());
    if (pause != null) {
      parameters.put("pause", pause.toString());
    }
    return parameters;
  }
}
