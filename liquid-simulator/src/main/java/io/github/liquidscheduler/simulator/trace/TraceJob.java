package io.github.liquidscheduler.simulator.trace;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A job as a trace tells it: when it came, how many GPUs it asked for and how long it ran or how
 * much it had to do. What a format does not tell is empty. Immutable; made by {@link
 * #builder(String)}.
 */
public final class TraceJob {

  /** The most GPUs a job may request. */
  public static final int MOST_GPUS = 1_000_000;

  /** The longest a job may run, and the latest it may be submitted: a hundred years of 365 days. */
  public static final Duration LONGEST = Duration.ofDays(36_500);

  /** The most iterations a job may have. */
  public static final long MOST_ITERATIONS = 1_000_000_000_000_000L;

  private final String id;
  private final Duration submit;
  private final int gpus;
  private final @Nullable Duration duration;
  private final @Nullable Long iterations;
  private final @Nullable String model;
  private final @Nullable String virtualCluster;
  private final @Nullable Integer line;

  private TraceJob(Builder builder) {
    id = builder.id;
    submit = builder.submit;
    gpus = builder.gpus;
    duration = builder.duration;
    iterations = builder.iterations;
    model = builder.model;
    virtualCluster = builder.virtualCluster;
    line = builder.line;
  }

  /**
   * Returns a builder of the job {@code id}, which requests one GPU at time zero unless set
   * otherwise.
   *
   * @throws IllegalArgumentException if {@code id} is blank
   */
  public static Builder builder(String id) {
    return new Builder(id);
  }

  /** Returns a builder that starts from this job. */
  public Builder toBuilder() {
    Builder builder = new Builder(id).submit(submit).gpus(gpus);
    builder.duration = duration;
    builder.iterations = iterations;
    builder.model = model;
    builder.virtualCluster = virtualCluster;
    builder.line = line;
    return builder;
  }

  /** Returns the identity, not blank, unique in its trace. */
  public String id() {
    return id;
  }

  /** Returns when the job was submitted, counted from the start of the trace. */
  public Duration submit() {
    return submit;
  }

  /** Returns the GPUs asked for, at least 1. */
  public int gpus() {
    return gpus;
  }

  /** Returns how long the job ran on the GPUs it asked for, without waiting. */
  public Optional<Duration> duration() {
    return Optional.ofNullable(duration);
  }

  /** Returns the number of iterations (training steps) to do, at least 1. */
  public OptionalLong iterations() {
    return iterations == null ? OptionalLong.empty() : OptionalLong.of(iterations);
  }

  /** Returns the model trained, as the trace spells it, with a batch size if the trace has one. */
  public Optional<String> model() {
    return Optional.ofNullable(model);
  }

  /** Returns the virtual cluster, that is, the queue or co-runner key. */
  public Optional<String> virtualCluster() {
    return Optional.ofNullable(virtualCluster);
  }

  /** Returns the line of the file that describes the job, from 1; empty if it came from no file. */
  public OptionalInt line() {
    return line == null ? OptionalInt.empty() : OptionalInt.of(line);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TraceJob that
        && gpus == that.gpus
        && id.equals(that.id)
        && submit.equals(that.submit)
        && Objects.equals(duration, that.duration)
        && Objects.equals(iterations, that.iterations)
        && Objects.equals(model, that.model)
        && Objects.equals(virtualCluster, that.virtualCluster)
        && Objects.equals(line, that.line);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "job '" + id + "'" + (line == null ? "" : " (line " + line + ")");
  }

  /** Builds a {@link TraceJob}. Not thread-safe. */
  public static final class Builder {

    private final String id;
    private Duration submit = Duration.ZERO;
    private int gpus = 1;
    private @Nullable Duration duration;
    private @Nullable Long iterations;
    private @Nullable String model;
    private @Nullable String virtualCluster;
    private @Nullable Integer line;

    private Builder(String id) {
      this.id = Objects.requireNonNull(id, "id");
      if (id.isBlank()) {
        throw new IllegalArgumentException("a job of a trace must have an id, but it was blank");
      }
    }

    /**
     * Sets when the job was submitted, counted from the start of the trace.
     *
     * @throws IllegalArgumentException if {@code submit} is negative or above {@link #LONGEST}
     */
    public Builder submit(Duration submit) {
      this.submit = requireTime("submit", submit);
      return this;
    }

    /**
     * Sets the GPUs asked for.
     *
     * @throws IllegalArgumentException if {@code gpus} is less than 1 or above {@link #MOST_GPUS}
     */
    public Builder gpus(int gpus) {
      this.gpus = (int) requireCount("gpus", gpus, MOST_GPUS);
      return this;
    }

    /**
     * Sets how long the job ran on the GPUs it asked for.
     *
     * @throws IllegalArgumentException if {@code duration} is negative or above {@link #LONGEST}
     */
    public Builder duration(Duration duration) {
      this.duration = requireTime("duration", duration);
      return this;
    }

    /**
     * Sets the number of iterations to do.
     *
     * @throws IllegalArgumentException if {@code iterations} is less than 1 or above {@link
     *     #MOST_ITERATIONS}
     */
    public Builder iterations(long iterations) {
      this.iterations = requireCount("iterations", iterations, MOST_ITERATIONS);
      return this;
    }

    /** Sets the model trained. */
    public Builder model(String model) {
      this.model = Objects.requireNonNull(model, "model");
      return this;
    }

    /** Sets the virtual cluster. */
    public Builder virtualCluster(String virtualCluster) {
      this.virtualCluster = Objects.requireNonNull(virtualCluster, "virtualCluster");
      return this;
    }

    /**
     * Sets the line of the file that describes the job.
     *
     * @throws IllegalArgumentException if {@code line} is less than 1
     */
    public Builder line(int line) {
      this.line = (int) requireCount("line", line, Integer.MAX_VALUE);
      return this;
    }

    /** Returns the job. */
    public TraceJob build() {
      return new TraceJob(this);
    }

    private Duration requireTime(String what, Duration time) {
      if (time.isNegative() || time.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "%s must be from 0 s to %s, but was %s, for job '%s'"
                .formatted(what, LONGEST, time, id));
      }
      return time;
    }

    private long requireCount(String what, long count, long most) {
      if (count < 1 || count > most) {
        throw new IllegalArgumentException(
            "%s must be from 1 to %d, but was %d, for job '%s'".formatted(what, most, count, id));
      }
      return count;
    }
  }
}
