package io.github.liquidscheduler.rounds.planner;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A job that trains in rounds of equal tasks, each on one GPU. It comes at {@code arrival} seconds,
 * at least 0, has at least one round of at least one task, {@code scale}, and its completion time
 * counts by a positive weight.
 */
public record RoundJob(
    JobId id, double arrival, double weight, int rounds, int scale, Map<GpuModel, TaskTime> times) {

  /**
   * Checks the job.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public RoundJob {
    Objects.requireNonNull(id, "id");
    times = Collections.unmodifiableMap(new LinkedHashMap<>(times));
    require(
        arrival >= 0 && arrival < Double.POSITIVE_INFINITY, "arrive at 0 s or later", arrival, id);
    require(weight > 0 && weight < Double.POSITIVE_INFINITY, "have a positive weight", weight, id);
    require(rounds >= 1, "have at least 1 round", rounds, id);
    require(scale >= 1, "have at least 1 task in each round", scale, id);
  }

  private static void require(boolean holds, String rule, double value, JobId id) {
    if (!holds) {
      throw new IllegalArgumentException(
          "a job must %s, but job '%s' has %s".formatted(rule, id, value));
    }
  }

  /** Returns the number of all its tasks. */
  public int tasks() {
    return Math.multiplyExact(rounds, scale);
  }
}
