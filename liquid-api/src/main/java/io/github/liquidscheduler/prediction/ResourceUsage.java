package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The measured usage of one task of a role over a run during which nobody shared its GPUs. What was
 * not measured is empty.
 *
 * @param gpuMemory the largest device memory held on a GPU
 * @param gpuUtilization the mean GPU utilisation, from 0 to 1
 * @param gpuUtilizationDeviation the standard deviation of the GPU utilisation, from 0 to 1
 * @param cpu the largest CPU use
 * @param memory the largest host memory use
 * @param received the mean rate received from the network
 * @param sent the mean rate sent to the network
 * @param pre the time from the start until the GPU was first busy
 * @param post the time from when the GPU was last busy until the end
 * @param total the time from start to end, at least that before and after
 */
public record ResourceUsage(
    Optional<Memory> gpuMemory,
    OptionalDouble gpuUtilization,
    OptionalDouble gpuUtilizationDeviation,
    Optional<CpuCores> cpu,
    Optional<Memory> memory,
    Optional<Bandwidth> received,
    Optional<Bandwidth> sent,
    Optional<Duration> pre,
    Optional<Duration> post,
    Optional<Duration> total) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public ResourceUsage {
    double mean = gpuUtilization.orElse(0);
    double deviation = gpuUtilizationDeviation.orElse(0);
    if (!(mean >= 0 && mean <= 1 && deviation >= 0 && deviation <= 1)) {
      throw new IllegalArgumentException(
          "GPU utilisation and its deviation must be from 0 to 1, but were "
              + mean
              + " and "
              + deviation);
    }
    Duration before = pre.orElse(Duration.ZERO);
    Duration after = post.orElse(Duration.ZERO);
    Duration both = before.plus(after);
    if (before.isNegative() || after.isNegative() || both.compareTo(total.orElse(both)) > 0) {
      throw new IllegalArgumentException(
          "phase times must not be negative and fit the total, but were %s, %s and %s"
              .formatted(before, after, total.orElse(both)));
    }
  }

  /** Returns a builder with nothing measured. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds a {@link ResourceUsage}. Not thread-safe. */
  public static final class Builder {
    private Optional<Memory> gpuMemory = Optional.empty();
    private OptionalDouble gpuUtilization = OptionalDouble.empty();
    private OptionalDouble gpuUtilizationDeviation = OptionalDouble.empty();
    private Optional<CpuCores> cpu = Optional.empty();
    private Optional<Memory> memory = Optional.empty();
    private Optional<Bandwidth> received = Optional.empty();
    private Optional<Bandwidth> sent = Optional.empty();
    private Optional<Duration> pre = Optional.empty();
    private Optional<Duration> post = Optional.empty();
    private Optional<Duration> total = Optional.empty();

    private Builder() {}

    /** Sets the largest device memory held on a GPU. */
    public Builder gpuMemory(Memory gpuMemory) {
      this.gpuMemory = Optional.of(gpuMemory);
      return this;
    }

    /** Sets the mean and the standard deviation of the GPU utilisation, each from 0 to 1. */
    public Builder gpuUtilization(double mean, double deviation) {
      this.gpuUtilization = OptionalDouble.of(mean);
      this.gpuUtilizationDeviation = OptionalDouble.of(deviation);
      return this;
    }

    /** Sets the largest CPU use. */
    public Builder cpu(CpuCores cpu) {
      this.cpu = Optional.of(cpu);
      return this;
    }

    /** Sets the largest host memory use. */
    public Builder memory(Memory memory) {
      this.memory = Optional.of(memory);
      return this;
    }

    /** Sets the mean rates received from and sent to the network. */
    public Builder network(Bandwidth received, Bandwidth sent) {
      this.received = Optional.of(received);
      this.sent = Optional.of(sent);
      return this;
    }

    /** Sets the times before, after and overall; before and after must fit the total. */
    public Builder phases(Duration pre, Duration post, Duration total) {
      this.pre = Optional.of(pre);
      this.post = Optional.of(post);
      this.total = Optional.of(total);
      return this;
    }

    /**
     * Returns the usage.
     *
     * @throws IllegalArgumentException if a part is out of range
     */
    public ResourceUsage build() {
      return new ResourceUsage(
          gpuMemory,
          gpuUtilization,
          gpuUtilizationDeviation,
          cpu,
          memory,
          received,
          sent,
          pre,
          post,
          total);
    }
  }
}
