package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.job.Dataset;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A job as a trace tells it: when it came, how many GPUs it asked for and how long it ran or how
 * much it had to do. What a format does not tell is empty. Made by {@link #builder(String)}.
 *
 * @param id the identity, not blank, unique in its trace
 * @param submit when the job was submitted, counted from the start of the trace
 * @param gpus the GPUs asked for, at least 1
 * @param duration how long the job ran on the GPUs it asked for, without waiting
 * @param timeLimit the longest that it was allowed to run when it was submitted
 * @param waited how long it waited before it first ran, where the trace comes from
 * @param iterations the number of iterations (training steps) to do, at least 1
 * @param model the model trained, as the trace spells it, with a batch size and a precision if the
 *     trace has them: {@code Net (batch size 8, precision fp16)}
 * @param virtualCluster the virtual cluster, that is, the queue or co-runner key
 * @param request what it asked for beyond a number of GPUs, such as a share of one
 * @param datasets what each node that runs a part of it has to have before it trains, of distinct
 *     names
 * @param labels what else the trace tells, such as a quality of service, by name
 * @param line the line of the file that describes the job, from 1; empty if it came from no file
 */
public record TraceJob(
    String id,
    Duration submit,
    int gpus,
    Optional<Duration> duration,
    Optional<Duration> timeLimit,
    Optional<Duration> waited,
    OptionalLong iterations,
    Optional<String> model,
    Optional<String> virtualCluster,
    Optional<TraceRequest> request,
    List<Dataset> datasets,
    Map<String, String> labels,
    OptionalInt line) {

  /** The most GPUs a job may request. */
  public static final int MOST_GPUS = 1_000_000;

  /** The longest a job may run, and the latest it may be submitted: a hundred years of 365 days. */
  public static final Duration LONGEST = Duration.ofDays(36_500);

  /** The most iterations a job may have. */
  public static final long MOST_ITERATIONS = 1_000_000_000_000_000L;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if the id is blank, or a number or time is out of its range
   */
  public TraceJob {
    requireId(id);
    requireTime("submit", submit, id);
    requireCount("gpus", gpus, MOST_GPUS, id);
    duration.ifPresent(time -> requireTime("duration", time, id));
    timeLimit.ifPresent(time -> requireTime("timeLimit", time, id));
    waited.ifPresent(time -> requireTime("waited", time, id));
    iterations.ifPresent(count -> requireCount("iterations", count, MOST_ITERATIONS, id));
    line.ifPresent(number -> requireCount("line", number, Integer.MAX_VALUE, id));
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(virtualCluster, "virtualCluster");
    requireGpus(id, gpus, request);
    datasets = List.copyOf(datasets);
    labels = labels.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(labels));
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
    return toBuilder(id);
  }

  /** Returns a builder of another job that is like this one. */
  public Builder toBuilder(String otherId) {
    Builder builder = new Builder(otherId).submit(submit).gpus(gpus);
    builder.duration = duration;
    builder.timeLimit = timeLimit;
    builder.waited = waited;
    builder.iterations = iterations;
    builder.model = model;
    builder.virtualCluster = virtualCluster;
    builder.request = request;
    builder.datasets = datasets;
    labels.forEach(builder::label);
    builder.line = line;
    return builder;
  }

  @Override
  public String toString() {
    return "job '" + id + "'" + (line.isEmpty() ? "" : " (line " + line.getAsInt() + ")");
  }

  private static String requireId(String id) {
    if (id.isBlank()) {
      throw new IllegalArgumentException("a job of a trace must have an id, but it was blank");
    }
    return id;
  }

  private static void requireGpus(String id, int gpus, Optional<TraceRequest> request) {
    if (request.isPresent() && request.get().gpus() != gpus) {
      throw new IllegalArgumentException(
          "the GPUs of all tasks must be those of the job, but were %d of %d, for job '%s'"
              .formatted(request.get().gpus(), gpus, id));
    }
  }

  private static Duration requireTime(String what, Duration time, String id) {
    if (time.isNegative() || time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s must be from 0 s to %s, but was %s, for job '%s'".formatted(what, LONGEST, time, id));
    }
    return time;
  }

  private static long requireCount(String what, long count, long most, String id) {
    if (count < 1 || count > most) {
      throw new IllegalArgumentException(
          "%s must be from 1 to %d, but was %d, for job '%s'".formatted(what, most, count, id));
    }
    return count;
  }

  /** Builds a {@link TraceJob}. Not thread-safe. */
  public static final class Builder {

    private final String id;
    private Duration submit = Duration.ZERO;
    private int gpus = 1;
    private Optional<Duration> duration = Optional.empty();
    private Optional<Duration> timeLimit = Optional.empty();
    private Optional<Duration> waited = Optional.empty();
    private OptionalLong iterations = OptionalLong.empty();
    private Optional<String> model = Optional.empty();
    private Optional<String> virtualCluster = Optional.empty();
    private Optional<TraceRequest> request = Optional.empty();
    private List<Dataset> datasets = List.of();
    private Map<String, String> labels = Map.of();
    private OptionalInt line = OptionalInt.empty();

    private Builder(String id) {
      this.id = requireId(id);
    }

    String id() {
      return id;
    }

    boolean hasDuration() {
      return duration.isPresent();
    }

    /**
     * Sets the submission time, counted from the start of the trace.
     *
     * @throws IllegalArgumentException if {@code submit} is negative or above {@link #LONGEST}
     */
    public Builder submit(Duration submit) {
      this.submit = requireTime("submit", submit, id);
      return this;
    }

    /**
     * Sets the GPUs asked for, as tasks of one GPU each.
     *
     * @throws IllegalArgumentException if {@code gpus} is less than 1 or above {@link #MOST_GPUS}
     */
    public Builder gpus(int gpus) {
      this.gpus = (int) requireCount("gpus", gpus, MOST_GPUS, id);
      request = Optional.empty();
      return this;
    }

    /**
     * Sets the request, and the number of GPUs with it.
     *
     * @throws IllegalArgumentException if the tasks ask for more than {@link #MOST_GPUS} GPUs
     */
    public Builder request(TraceRequest request) {
      gpus(request.gpus());
      this.request = Optional.of(request);
      return this;
    }

    /**
     * Sets the run time on the requested GPUs.
     *
     * @throws IllegalArgumentException if {@code duration} is negative or above {@link #LONGEST}
     */
    public Builder duration(Duration duration) {
      this.duration = Optional.of(requireTime("duration", duration, id));
      return this;
    }

    /**
     * Sets the longest that it was allowed to run when it was submitted.
     *
     * @throws IllegalArgumentException if {@code limit} is negative or above {@link #LONGEST}
     */
    public Builder timeLimit(Duration limit) {
      timeLimit = Optional.of(requireTime("timeLimit", limit, id));
      return this;
    }

    /**
     * Sets how long it waited before it first ran, where the trace comes from.
     *
     * @throws IllegalArgumentException if {@code time} is negative or above {@link #LONGEST}
     */
    public Builder waited(Duration time) {
      waited = Optional.of(requireTime("waited", time, id));
      return this;
    }

    /**
     * Sets the number of iterations to do.
     *
     * @throws IllegalArgumentException if {@code iterations} is less than 1 or above {@link
     *     #MOST_ITERATIONS}
     */
    public Builder iterations(long iterations) {
      this.iterations =
          OptionalLong.of(requireCount("iterations", iterations, MOST_ITERATIONS, id));
      return this;
    }

    /** Sets the model trained. */
    public Builder model(String model) {
      this.model = Optional.of(model);
      return this;
    }

    /** Sets the virtual cluster. */
    public Builder virtualCluster(String virtualCluster) {
      this.virtualCluster = Optional.of(virtualCluster);
      return this;
    }

    /** Sets the data sets that each node of the job must have before it trains. */
    public Builder datasets(List<Dataset> datasets) {
      this.datasets = List.copyOf(datasets);
      return this;
    }

    /** Adds a label. */
    public Builder label(String name, String value) {
      if (labels.isEmpty()) {
        labels = new TreeMap<>();
      }
      labels.put(name, value);
      return this;
    }

    /**
     * Sets the line of the file that describes the job.
     *
     * @throws IllegalArgumentException if {@code line} is less than 1
     */
    public Builder line(int line) {
      this.line = OptionalInt.of((int) requireCount("line", line, Integer.MAX_VALUE, id));
      return this;
    }

    /** Returns the job. */
    public TraceJob build() {
      return new TraceJob(
          id,
          submit,
          gpus,
          duration,
          timeLimit,
          waited,
          iterations,
          model,
          virtualCluster,
          request,
          datasets,
          labels,
          line);
    }
  }
}
