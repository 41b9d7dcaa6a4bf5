package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The measured usage of one task of a role over a run during which nobody shared its GPUs. What was
 * not measured is empty. Immutable.
 */
public final class ResourceUsage {

  private final Builder parts;

  private ResourceUsage(Builder parts) {
    this.parts = parts;
  }

  /** Returns a builder with nothing measured. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the largest device memory held on a GPU. */
  public Optional<Memory> gpuMemory() {
    return Optional.ofNullable(parts.gpuMemory);
  }

  /** Returns the mean GPU utilisation, from 0 to 1. */
  public OptionalDouble gpuUtilization() {
    return optional(parts.gpuUtilization);
  }

  /** Returns the standard deviation of the GPU utilisation, at least 0. */
  public OptionalDouble gpuUtilizationDeviation() {
    return optional(parts.gpuUtilizationDeviation);
  }

  /** Returns the largest CPU use. */
  public Optional<CpuCores> cpu() {
    return Optional.ofNullable(parts.cpu);
  }

  /** Returns the largest host memory use. */
  public Optional<Memory> memory() {
    return Optional.ofNullable(parts.memory);
  }

  /** Returns the mean rate received from the network. */
  public Optional<Bandwidth> received() {
    return Optional.ofNullable(parts.received);
  }

  /** Returns the mean rate sent to the network. */
  public Optional<Bandwidth> sent() {
    return Optional.ofNullable(parts.sent);
  }

  /** Returns the time from the start until the GPU was first busy. */
  public Optional<Duration> pre() {
    return Optional.ofNullable(parts.pre);
  }

  /** Returns the time from when the GPU was last busy until the end. */
  public Optional<Duration> post() {
    return Optional.ofNullable(parts.post);
  }

  /** Returns the time from start to end. */
  public Optional<Duration> total() {
    return Optional.ofNullable(parts.total);
  }

  private static OptionalDouble optional(@Nullable Double value) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** Builds a {@link ResourceUsage}. Not thread-safe. */
  public static final class Builder {
    private @Nullable Memory gpuMemory;
    private @Nullable Double gpuUtilization;
    private @Nullable Double gpuUtilizationDeviation;
    private @Nullable CpuCores cpu;
    private @Nullable Memory memory;
    private @Nullable Bandwidth received;
    private @Nullable Bandwidth sent;
    private @Nullable Duration pre;
    private @Nullable Duration post;
    private @Nullable Duration total;

    private Builder() {}

    /** Sets the largest device memory held on a GPU. */
    public Builder gpuMemory(Memory gpuMemory) {
      this.gpuMemory = Objects.requireNonNull(gpuMemory, "gpuMemory");
      return this;
    }

    /**
     * Sets the mean and the standard deviation of the GPU utilisation.
     *
     * @throws IllegalArgumentException if the mean is not from 0 to 1 or the deviation not from 0
     *     to 1
     */
    public Builder gpuUtilization(double mean, double deviation) {
      if (!(mean >= 0 && mean <= 1 && deviation >= 0 && deviation <= 1)) {
        throw new IllegalArgumentException(
            "GPU utilisation and its deviation must be from 0 to 1, but were "
                + mean
                + " and "
                + deviation);
      }
      this.gpuUtilization = mean;
      this.gpuUtilizationDeviation = deviation;
      return this;
    }

    /** Sets the largest CPU use. */
    public Builder cpu(CpuCores cpu) {
      this.cpu = Objects.requireNonNull(cpu, "cpu");
      return this;
    }

    /** Sets the largest host memory use. */
    public Builder memory(Memory memory) {
      this.memory = Objects.requireNonNull(memory, "memory");
      return this;
    }

    /** Sets the mean rates received from and sent to the network. */
    public Builder network(Bandwidth received, Bandwidth sent) {
      this.received = Objects.requireNonNull(received, "received");
      this.sent = Objects.requireNonNull(sent, "sent");
      return this;
    }

    /**
     * Sets the times before, after and overall.
     *
     * @throws IllegalArgumentException if a time is negative or before and after exceed the total
     */
    public Builder phases(Duration pre, Duration post, Duration total) {
      if (pre.isNegative() || post.isNegative() || pre.plus(post).compareTo(total) > 0) {
        throw new IllegalArgumentException(
            "phase times must not be negative and fit the total, but were %s, %s and %s"
                .formatted(pre, post, total));
      }
      this.pre = pre;
      this.post = post;
      this.total = total;
      return this;
    }

    /** Returns the usage. */
    public ResourceUsage build() {
      Builder copy = new Builder();
      copy.gpuMemory = gpuMemory;
      copy.gpuUtilization = gpuUtilization;
      copy.gpuUtilizationDeviation = gpuUtilizationDeviation;
      copy.cpu = cpu;
      copy.memory = memory;
      copy.received = received;
      copy.sent = sent;
      copy.pre = pre;
      copy.post = post;
      copy.total = total;
      return new ResourceUsage(copy);
    }
  }
}
