package io.github.liquidscheduler.job;

import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.text.Count;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resources that one task requests of its node: whole GPUs or a share of one, memory of each
 * GPU, CPU and host memory. What is left out is left to the resource estimator; without an
 * estimator it counts as nothing. Traffic is not requested: it follows from the job's {@link
 * Communication}. Immutable.
 */
public final class ResourceRequest {

  /** The largest number of GPUs one task may ask for. */
  public static final int MAX_GPUS_PER_TASK = 1024;

  private final int gpus;
  private final @Nullable GpuShare share;
  private final @Nullable Memory gpuMemory;
  private final @Nullable CpuCores cpu;
  private final @Nullable Memory memory;

  private ResourceRequest(Builder builder) {
    gpus = builder.gpus;
    share = builder.share;
    gpuMemory = builder.gpuMemory;
    cpu = builder.cpu;
    memory = builder.memory;
  }

  /** Returns a request of {@code gpus} whole GPUs and nothing else stated. */
  public static ResourceRequest ofGpus(int gpus) {
    return builder().gpus(gpus).build();
  }

  /** Returns a builder that asks for no GPU. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts from this request. */
  public Builder toBuilder() {
    Builder copy = new Builder();
    copy.gpus = gpus;
    copy.share = share;
    copy.gpuMemory = gpuMemory;
    copy.cpu = cpu;
    copy.memory = memory;
    return copy;
  }

  /** Returns the number of GPUs, from 0 to {@value #MAX_GPUS_PER_TASK}; 1 if a share is asked. */
  public int gpus() {
    return gpus;
  }

  /** Returns the share of the one GPU asked for, or empty if GPUs are asked for whole. */
  public Optional<GpuShare> share() {
    return Optional.ofNullable(share);
  }

  /** Returns the device memory needed on each GPU. */
  public Optional<Memory> gpuMemory() {
    return Optional.ofNullable(gpuMemory);
  }

  /** Returns the CPU needed. */
  public Optional<CpuCores> cpu() {
    return Optional.ofNullable(cpu);
  }

  /** Returns the host memory needed. */
  public Optional<Memory> memory() {
    return Optional.ofNullable(memory);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ResourceRequest that
        && gpus == that.gpus
        && Objects.equals(share, that.share)
        && Objects.equals(gpuMemory, that.gpuMemory)
        && Objects.equals(cpu, that.cpu)
        && Objects.equals(memory, that.memory);
  }

  @Override
  public int hashCode() {
    return Objects.hash(gpus, share, gpuMemory, cpu, memory);
  }

  /** Returns the stated parts, such as {@code 2 GPUs, 16 GiB GPU memory, 8 cores}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(share == null ? Count.of(gpus, "GPU") : share + " of a GPU");
    gpuMemory().ifPresent(m -> text.append(", ").append(m).append(" GPU memory"));
    cpu().ifPresent(c -> text.append(", ").append(c));
    memory().ifPresent(m -> text.append(", ").append(m).append(" memory"));
    return text.toString();
  }

  /** Builds a {@link ResourceRequest}. Not thread-safe. */
  public static final class Builder {
    private int gpus;
    private @Nullable GpuShare share;
    private @Nullable Memory gpuMemory;
    private @Nullable CpuCores cpu;
    private @Nullable Memory memory;

    private Builder() {}

    /**
     * Asks for whole GPUs, all on one node.
     *
     * @throws IllegalArgumentException if {@code gpus} is not from 0 to {@value #MAX_GPUS_PER_TASK}
     */
    public Builder gpus(int gpus) {
      if (gpus < 0 || gpus > MAX_GPUS_PER_TASK) {
        throw new IllegalArgumentException(
            "a task's gpus must be from 0 to " + MAX_GPUS_PER_TASK + ", but was " + gpus);
      }
      this.gpus = gpus;
      this.share = null;
      return this;
    }

    /** Asks for a share of one GPU instead of whole GPUs; a whole share is one GPU. */
    public Builder share(GpuShare share) {
      this.gpus = 1;
      this.share = share.isWhole() ? null : share;
      return this;
    }

    /** Asks for device memory on each GPU. */
    public Builder gpuMemory(Memory gpuMemory) {
      this.gpuMemory = Objects.requireNonNull(gpuMemory, "gpuMemory");
      return this;
    }

    /** Asks for CPU. */
    public Builder cpu(CpuCores cpu) {
      this.cpu = Objects.requireNonNull(cpu, "cpu");
      return this;
    }

    /** Asks for host memory. */
    public Builder memory(Memory memory) {
      this.memory = Objects.requireNonNull(memory, "memory");
      return this;
    }

    /** Returns the request. */
    public ResourceRequest build() {
      return new ResourceRequest(this);
    }
  }
}
