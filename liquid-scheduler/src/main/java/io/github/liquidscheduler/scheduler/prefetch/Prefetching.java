package io.github.liquidscheduler.scheduler.prefetch;

import io.github.liquidscheduler.resource.Bandwidth;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which data sets a scheduler has brought to which nodes before jobs start there, so that GPUs do
 * not idle while a launch reads. After Liquid's pre-scheduling (Gu et al., TPDS 33(11), 2022,
 * section 5.1).
 *
 * <p>By the rule of {@link #over} the scheduler looks ahead: running jobs end when they are likely
 * to, by how run times turned out so far, and whoever would start then reads where it would start.
 * What is likely enough to be read is brought, what is needed first before the rest, as late as it
 * still arrives in time, and cancelled when it is no longer likely. {@link #liquid} is Liquid's own
 * rule, to compare with.
 *
 * <p>Either way, of places that are as good a job gets one that has its data sets. Immutable.
 */
public final class Prefetching {
  private final Bandwidth path;
  private final OptionalDouble liquidRatio;
  private final Duration launch;
  private final Duration slack;
  private final Duration atMostEvery;
  private final int mostAtOnce;
  private final double leastGain;
  private final double mostWasted;
  private final int localityGpus;

  private Prefetching(Builder builder) {
    path = builder.path;
    liquidRatio =
        builder.liquidRatio == null
            ? OptionalDouble.empty()
            : OptionalDouble.of(builder.liquidRatio);
    launch = builder.launch;
    slack = builder.slack;
    atMostEvery = builder.atMostEvery;
    mostAtOnce = builder.mostAtOnce;
    leastGain = builder.leastGain;
    mostWasted = builder.mostWasted;
    localityGpus = builder.localityGpus;
  }

  /**
   * Returns a builder of rules that bring what is likely to be read.
   *
   * @param path what all nodes together get from the storage
   * @throws IllegalArgumentException if that is nothing
   */
  public static Builder over(Bandwidth path) {
    return new Builder(path, null);
  }

  /**
   * Returns a builder of Liquid's rule: where no GPU is free, a waiting job of one task on one GPU
   * is prepared for on a GPU whose job ends within the time of a launch and the slack, the first
   * such GPU. Nothing is cancelled.
   *
   * @param path what all nodes together get from the storage
   * @param ratio the part of all GPUs that has to be in use, .5 in Liquid's experiments; above 1
   *     for never
   * @throws IllegalArgumentException if the path has no bandwidth or the ratio is negative
   */
  public static Builder liquid(Bandwidth path, double ratio) {
    if (!(ratio >= 0)) {
      throw new IllegalArgumentException(
          "the part of GPUs in use must not be negative, but was " + ratio);
    }
    return new Builder(path, ratio);
  }

  /** Returns what all nodes together get from the storage. */
  public Bandwidth path() {
    return path;
  }

  /** Returns the part of all GPUs from which on Liquid's rule holds; empty for the other rule. */
  public OptionalDouble liquidRatio() {
    return liquidRatio;
  }

  /** Returns how long a job takes to start its processes, before it reads. */
  public Duration launch() {
    return launch;
  }

  /** Returns how much earlier than needed a copy is to arrive. */
  public Duration slack() {
    return slack;
  }

  /** Returns how much time passes between two looks ahead, at least. */
  public Duration atMostEvery() {
    return atMostEvery;
  }

  /** Returns how many copies are under way at once, at most. */
  public int mostAtOnce() {
    return mostAtOnce;
  }

  /** Returns how many GPU-seconds a copy has to be expected to save. */
  public double leastGain() {
    return leastGain;
  }

  /** Returns with which probability a copy that is brought may be read by nobody. */
  public double mostWasted() {
    return mostWasted;
  }

  /** Returns by how many free GPUs a place that has the data sets may be the worse one. */
  public int localityGpus() {
    return localityGpus;
  }

  /** Returns what decides, by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("path", path.toString());
    liquidRatio.ifPresent(ratio -> parameters.put("liquidRatio", Double.toString(ratio)));
    parameters.put("launch", launch.toString());
    parameters.put("slack", slack.toString());
    parameters.put("atMostEvery", atMostEvery.toString());
    parameters.put("mostAtOnce", Integer.toString(mostAtOnce));
    parameters.put("leastGain", Double.toString(leastGain));
    parameters.put("mostWasted", Double.toString(mostWasted));
    parameters.put("localityGpus", Integer.toString(localityGpus));
    return parameters;
  }

  /**
   * Returns the rules of {@link #parameters()}.
   *
   * @throws IllegalArgumentException if one is missing, unreadable or out of range
   */
  public static Prefetching from(Map<String, String> parameters) {
    Builder builder =
        new Builder(
            Bandwidth.parse(value(parameters, "path")),
            Optional.ofNullable(parameters.get("liquidRatio")).map(Double::valueOf).orElse(null));
    return builder
        .launch(Duration.parse(value(parameters, "launch")))
        .slack(Duration.parse(value(parameters, "slack")))
        .atMostEvery(Duration.parse(value(parameters, "atMostEvery")))
        .mostAtOnce(Integer.parseInt(value(parameters, "mostAtOnce")))
        .leastGain(Double.parseDouble(value(parameters, "leastGain")))
        .mostWasted(Double.parseDouble(value(parameters, "mostWasted")))
        .localityGpus(Integer.parseInt(value(parameters, "localityGpus")))
        .build();
  }

  private static String value(Map<String, String> parameters, String name) {
    return Optional.ofNullable(parameters.get(name))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "rules of prefetching must have '%s', but had %s".formatted(name, parameters)));
  }

  /** Builds {@link Prefetching}. Not thread-safe. */
  public static final class Builder {
    private final Bandwidth path;
    private final @Nullable Double liquidRatio;
    private Duration launch = Duration.ZERO;
    private Duration slack = Duration.ofSeconds(15);
    private Duration atMostEvery = Duration.ofSeconds(1);
    private int mostAtOnce = 4;
    private double leastGain = 1;
    private double mostWasted = 1;
    private int localityGpus;

    private Builder(Bandwidth path, @Nullable Double liquidRatio) {
      this.path = Objects.requireNonNull(path, "path");
      this.liquidRatio = liquidRatio;
      if (path.bytesPerSecond() < 1) {
        throw new IllegalArgumentException(
            "the path from the storage must have a bandwidth, but had " + path);
      }
    }

    /**
     * Sets how long a job takes to start its processes, before it reads; nothing by default. With
     * what it reads it is what a running job is expected to need beside its run time.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder launch(Duration launch) {
      this.launch = requireNotNegative(launch, "a launch");
      return this;
    }

    /**
     * Sets how much earlier than needed a copy is to arrive; 15 s by default, as in Liquid.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder slack(Duration slack) {
      this.slack = requireNotNegative(slack, "a slack");
      return this;
    }

    /**
     * Sets how much time passes between two looks ahead, at least; a second by default. What
     * happens meanwhile is looked at together.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder atMostEvery(Duration pause) {
      if (pause.isZero() || pause.isNegative()) {
        throw new IllegalArgumentException(
            "the time between two looks ahead must be positive, but was " + pause);
      }
      atMostEvery = pause;
      return this;
    }

    /**
     * Sets how many copies are under way at once; four by default. With none, nothing is brought,
     * and data sets count in placement only.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder mostAtOnce(int copies) {
      mostAtOnce = requireNotNegative(copies, "the copies under way at once");
      return this;
    }

    /**
     * Sets how many GPU-seconds a copy has to be expected to save; one by default.
     *
     * @throws IllegalArgumentException if it is not positive and finite
     */
    public Builder leastGain(double gpuSeconds) {
      if (!(gpuSeconds > 0) || Double.isInfinite(gpuSeconds)) {
        throw new IllegalArgumentException(
            "the least gain must be positive and finite, but was " + gpuSeconds);
      }
      leastGain = gpuSeconds;
      return this;
    }

    /**
     * Sets with which probability a copy that is brought may be read by nobody, so that at most
     * such a part of the bytes is expected to be wasted; 1 by default, so that any may. Below 1,
     * nothing is brought early to places that jobs may take who come meanwhile, and nothing more
     * for a job for which as many copies lie unread as it reads. Not for Liquid's rule.
     *
     * @throws IllegalArgumentException if it is not in [0, 1]
     */
    public Builder mostWasted(double part) {
      if (!(part >= 0 && part <= 1)) {
        throw new IllegalArgumentException(
            "the part that may be wasted must be in [0, 1], but was " + part);
      }
      mostWasted = part;
      return this;
    }

    /**
     * Sets by how many free GPUs, left over beside a job, a place that has its data sets may be
     * worse than the best one; none by default, so that it has to be as good.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder localityGpus(int gpus) {
      localityGpus = requireNotNegative(gpus, "the GPUs left over");
      return this;
    }

    /** Returns the rules. */
    public Prefetching build() {
      return new Prefetching(this);
    }

    private static int requireNotNegative(int number, String what) {
      if (number < 0) {
        throw new IllegalArgumentException(what + " must not be negative, but were " + number);
      }
      return number;
    }

    private static Duration requireNotNegative(Duration time, String what) {
      if (time.isNegative()) {
        throw new IllegalArgumentException(what + " must not be negative, but was " + time);
      }
      return time;
    }
  }
}
