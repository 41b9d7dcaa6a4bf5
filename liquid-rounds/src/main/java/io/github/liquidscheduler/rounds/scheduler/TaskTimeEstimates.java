package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The compute time of a task of one job on each GPU model: the expected time until one is observed,
 * then an exponentially weighted average of both. For a model without either, the time on the other
 * models scaled by the speeds of the models; without any time, one second on a GPU of speed 1.
 * Mutable.
 */
final class TaskTimeEstimates {

  /** How much what is seen last counts. */
  private static final double WEIGHT_OF_LAST = 0.3;

  /** Times come with events, whose clock counts nanoseconds. */
  private static final double RESOLUTION = 1.5e-9;

  private final Map<GpuModel, Double> relativeSpeeds;
  private final Map<GpuModel, Double> known;

  /** The seconds that a task takes at speed 1, where it was neither expected nor seen. */
  private double atSpeedOne;

  TaskTimeEstimates(ComputeTimes expected, Map<GpuModel, Double> relativeSpeeds) {
    this.relativeSpeeds = relativeSpeeds;
    known = new TreeMap<>(expected.seconds());
    scale();
  }

  /** Returns what is known without scaling, in seconds. */
  Map<GpuModel, Double> known() {
    return Collections.unmodifiableMap(known);
  }

  /** Returns how many seconds a task computes on a model. */
  double seconds(GpuModel model) {
    @Nullable Double seconds = known.get(model);
    return seconds != null ? seconds : atSpeedOne / speed(model);
  }

  /** Learns how many seconds a task has computed; returns whether that changes anything. */
  boolean observe(GpuModel model, double seconds) {
    @Nullable Double before = known.get(model);
    if (before != null && Math.abs(seconds - before) <= RESOLUTION) {
      return false;
    }
    known.put(model, before == null ? seconds : before + WEIGHT_OF_LAST * (seconds - before));
    scale();
    return true;
  }

  private void scale() {
    double sum = 0;
    for (Map.Entry<GpuModel, Double> each : known.entrySet()) {
      sum += each.getValue() * speed(each.getKey());
    }
    atSpeedOne = known.isEmpty() ? 1 : sum / known.size();
  }

  private double speed(GpuModel model) {
    return relativeSpeeds.getOrDefault(model, 1.0);
  }
}
