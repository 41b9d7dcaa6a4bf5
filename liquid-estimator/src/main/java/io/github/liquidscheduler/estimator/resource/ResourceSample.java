package io.github.liquidscheduler.estimator.resource;

import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.Bandwidth;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a task was and what it was measured to use: one example to learn from. Immutable. */
public final class ResourceSample {
  private final TaskProfile task;
  private final Map<ResourceTarget, Double> values;

  private ResourceSample(TaskProfile task, Map<ResourceTarget, Double> values) {
    this.task = task;
    this.values = values;
  }

  /** Returns a builder of a sample of the task with nothing measured. */
  public static Builder builder(TaskProfile task) {
    return new Builder(task);
  }

  /** Returns the sample of a task with this usage. */
  public static ResourceSample of(TaskProfile task, ResourceUsage usage) {
    Builder builder = builder(task);
    usage.gpuMemory().ifPresent(m -> builder.value(ResourceTarget.GPU_MEMORY, (double) m.bytes()));
    usage.gpuUtilization().ifPresent(u -> builder.value(ResourceTarget.GPU_UTILIZATION, u));
    usage
        .gpuUtilizationDeviation()
        .ifPresent(u -> builder.value(ResourceTarget.GPU_UTILIZATION_DEVIATION, u));
    usage.cpu().ifPresent(c -> builder.value(ResourceTarget.CPU, c.millicores() / 1000.0));
    usage.memory().ifPresent(m -> builder.value(ResourceTarget.HOST_MEMORY, (double) m.bytes()));
    builder.rate(ResourceTarget.NETWORK_RECEIVED, usage.received());
    builder.rate(ResourceTarget.NETWORK_SENT, usage.sent());
    builder.time(ResourceTarget.PRE, usage.pre());
    builder.time(ResourceTarget.POST, usage.post());
    builder.time(ResourceTarget.TOTAL, usage.total());
    return builder.build();
  }

  /** Returns the task. */
  public TaskProfile task() {
    return task;
  }

  /** Returns what was measured of {@code target}, in its unit. */
  public OptionalDouble value(ResourceTarget target) {
    Double value = values.get(target);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** Builds a {@link ResourceSample}. Not thread-safe. */
  public static final class Builder {
    private final TaskProfile task;
    private final Map<ResourceTarget, Double> values = new EnumMap<>(ResourceTarget.class);

    private Builder(TaskProfile task) {
      this.task = Objects.requireNonNull(task, "task");
    }

    /**
     * Sets what was measured of {@code target}, in its unit.
     *
     * @throws IllegalArgumentException if the value is negative, not finite, or a fraction over 1
     */
    public Builder value(ResourceTarget target, double value) {
      if (!target.accepts(value)) {
        throw new IllegalArgumentException(
            "%s must be %s, but was %s, for %s"
                .formatted(
                    target.column(),
                    target.isFraction() ? "from 0 to 1" : "finite and not negative",
                    value,
                    task.family()));
      }
      values.put(target, value);
      return this;
    }

    /** Returns the sample. */
    public ResourceSample build() {
      return new ResourceSample(task, new EnumMap<>(values));
    }

    private void rate(ResourceTarget target, Optional<Bandwidth> rate) {
      rate.filter(known -> !known.isUnlimited())
          .ifPresent(known -> value(target, (double) known.bytesPerSecond()));
    }

    private void time(ResourceTarget target, Optional<Duration> time) {
      time.ifPresent(known -> value(target, known.toNanos() / 1e9));
    }
  }
}
