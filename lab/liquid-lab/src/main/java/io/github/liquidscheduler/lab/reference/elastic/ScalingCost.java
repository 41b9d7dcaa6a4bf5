package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.formats.input.Quoted;

/**
 * What a change of size costs: a pause, in which the job holds its GPUs and does nothing. The first
 * start costs nothing, nor does the moment of a pre-emption.
 */
public enum ScalingCost {
  /** Nothing pauses. */
  ZERO,

  /**
   * Stop-free scaling: new workers prepare while the others train, so that growing pauses 2.5 s and
   * shrinking not at all. A restart after a pre-emption pauses as {@link #STOP}.
   */
  FREE,

  /** Checkpoint, stop and resume: every resize and every restart pauses 40 s and 5 s per GPU. */
  STOP;

  private static final double SWITCH_SECONDS = 2.5;
  private static final double RESUME_SECONDS = 40;
  private static final double RESUME_SECONDS_PER_GPU = 5;

  /**
   * Returns the cost called {@code name}: zero, free or stop.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ScalingCost named(String name) {
    return switch (name) {
      case "zero" -> ZERO;
      case "free" -> FREE;
      case "stop" -> STOP;
      default ->
          throw new IllegalArgumentException(
              "a scaling cost must be zero, free or stop, but was " + Quoted.of(name));
    };
  }

  /** Returns the pause in seconds when {@code job} gets {@code gpus} GPUs. */
  double seconds(ElasticJobState job, int gpus) {
    boolean isFirstStart = Double.isInfinite(job.firstStart());
    if (this == ZERO || isFirstStart) {
      return 0;
    }
    if (this == FREE && job.isRunning()) {
      return gpus > job.size() ? SWITCH_SECONDS : 0;
    }
    return RESUME_SECONDS + RESUME_SECONDS_PER_GPU * gpus;
  }
}
