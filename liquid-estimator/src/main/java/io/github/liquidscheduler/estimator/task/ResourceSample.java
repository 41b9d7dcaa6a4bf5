package io.github.liquidscheduler.estimator.task;

import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.Bandwidth;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * A task and its measured usage: one example to learn from.
 *
 * @param task the task
 * @param values what was measured of each target, in its unit, in the order of the targets
 */
public record ResourceSample(TaskProfile task, Map<ResourceTarget, Double> values) {

  /**
   * Copies the values.
   *
   * @throws IllegalArgumentException if a value is negative, not finite, or a fraction over 1
   */
  public ResourceSample {
    Objects.requireNonNull(task, "task");
    Map<ResourceTarget, Double> copy = new EnumMap<>(ResourceTarget.class);
    copy.putAll(values);
    copy.forEach((target, value) -> require(task, target, value));
    values = Collections.unmodifiableMap(copy);
  }

  /** Returns the sample of a task with this usage. */
  public static ResourceSample of(TaskProfile task, ResourceUsage usage) {
    Map<ResourceTarget, Double> values = new EnumMap<>(ResourceTarget.class);
    usage.gpuMemory().ifPresent(m -> values.put(ResourceTarget.GPU_MEMORY, (double) m.bytes()));
    usage.gpuUtilization().ifPresent(u -> values.put(ResourceTarget.GPU_UTILIZATION, u));
    usage
        .gpuUtilizationDeviation()
        .ifPresent(u -> values.put(ResourceTarget.GPU_UTILIZATION_DEVIATION, u));
    usage.cpu().ifPresent(c -> values.put(ResourceTarget.CPU, c.millicores() / 1000.0));
    usage.memory().ifPresent(m -> values.put(ResourceTarget.HOST_MEMORY, (double) m.bytes()));
    usage.received().ifPresent(rate -> addRate(values, ResourceTarget.NETWORK_RECEIVED, rate));
    usage.sent().ifPresent(rate -> addRate(values, ResourceTarget.NETWORK_SENT, rate));
    usage.pre().ifPresent(time -> values.put(ResourceTarget.PRE, seconds(time)));
    usage.post().ifPresent(time -> values.put(ResourceTarget.POST, seconds(time)));
    usage.total().ifPresent(time -> values.put(ResourceTarget.TOTAL, seconds(time)));
    return new ResourceSample(task, values);
  }

  /** Returns the measured value of {@code target}, in its unit. */
  public OptionalDouble value(ResourceTarget target) {
    Double value = values.get(target);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private static void addRate(
      Map<ResourceTarget, Double> values, ResourceTarget target, Bandwidth rate) {
    if (!rate.isUnlimited()) {
      values.put(target, (double) rate.bytesPerSecond());
    }
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private static void require(TaskProfile task, ResourceTarget target, double value) {
    if (!target.accepts(value)) {
      throw new IllegalArgumentException(
          "%s must be %s, but was %s, for %s"
              .formatted(
                  target.column(),
                  target.isFraction() ? "from 0 to 1" : "finite and not negative",
                  value,
                  task.family()));
    }
  }
}
