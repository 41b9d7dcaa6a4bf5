package io.github.liquidscheduler.scheduler.prefetch;

import io.github.liquidscheduler.resource.Bandwidth;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Idea: options of prefetching. Expected reads over run-time scenarios decide which copies are
 *   brought; liquid(...) selects Liquid's original rule for comparison.
 * Invariants: immutable; every value is validated in the builder; parameters() names every option
 *   that changes a decision.
 * Cost: O(1) per accessor; a look-ahead costs what transfer.Scenario says, at most once per
 *   atMostEvery.
 * Source: Gu et al., Liquid, IEEE TPDS 33(11), 2022, section 5.1.
 */
/**
 * Prefetching options: data sets are brought to nodes before jobs start there, so that GPUs do not
 * idle while a launch reads. After Liquid's pre-scheduling (Gu et al., TPDS 33(11), 2022, section
 * 5.1).
 *
 * <p>With {@link #over} the scheduler looks ahead in scenarios: running jobs end as past run times
 * suggest, and jobs that would start then read where they would start. Likely reads are brought,
 * the most urgent first and as late as they still arrive in time, and cancelled once unlikely.
 * {@link #liquid} is Liquid's original rule, for comparison.
 *
 * <p>Either way, among equally good placements a job gets one that holds its data sets. Immutable.
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
   * Returns a builder of the scenario-based rule.
   *
   * @param path the bandwidth from storage shared by all nodes, positive
   * @throws IllegalArgumentException if {@code path} has no bandwidth
   */
  public static Builder over(Bandwidth path) {
    return new Builder(path, null);
  }

  /**
   * Returns a builder of Liquid's rule: if no GPU is free, each waiting job of one task on one GPU
   * is prepared on the first GPU whose job ends within launch time and slack. No transfer is
   * cancelled.
   *
   * @param path the bandwidth from storage shared by all nodes, positive
   * @param ratio the least fraction of GPUs in use, .5 in Liquid's experiments; above 1 for never
   * @throws IllegalArgumentException if {@code path} has no bandwidth or {@code ratio} is negative
   */
  public static Builder liquid(Bandwidth path, double ratio) {
    if (!(ratio >= 0)) {
      throw new IllegalArgumentException(
          "the part of GPUs in use must not be negative, but was " + ratio);
    }
    return new Builder(path, ratio);
  }

  /** Returns the bandwidth from storage shared by all nodes. */
  public Bandwidth path() {
    return path;
  }

  /**
   * Returns the least fraction of GPUs in use for Liquid's rule; empty for the scenario-based rule.
   */
  public OptionalDouble liquidRatio() {
    return liquidRatio;
  }

  /** Returns the time in which a job starts its processes, before it reads. */
  public Duration launch() {
    return launch;
  }

  /** Returns the margin by which copies arrive early. */
  public Duration slack() {
    return slack;
  }

  /** Returns the least time between two look-aheads. */
  public Duration atMostEvery() {
    return atMostEvery;
  }

  /** Returns the maximum number of concurrent transfers. */
  public int mostAtOnce() {
    return mostAtOnce;
  }

  /** Returns the least expected saving of a transfer, in GPU-seconds. */
  public double leastGain() {
    return leastGain;
  }

  /** Returns the maximum probability that a transferred copy stays unread. */
  public double mostWasted() {
    return mostWasted;
  }

  /** Returns the additional left-over GPUs tolerated for a placement with the data sets. */
  public int localityGpus() {
    return localityGpus;
  }

  /** Returns the options by name. */
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
     * Sets the time in which a job starts its processes, before it reads, not negative; zero by
     * default. It is part of a running job's expected time.
     *
     * @throws IllegalArgumentException if {@code launch} is negative
     */
    public Builder launch(Duration launch) {
      this.launch = requireNotNegative(launch, "a launch");
      return this;
    }

    /**
     * Sets the margin by which copies arrive early, not negative; 15 s by default, as in Liquid.
     *
     * @throws IllegalArgumentException if {@code slack} is negative
     */
    public Builder slack(Duration slack) {
      this.slack = requireNotNegative(slack, "a slack");
      return this;
    }

    /**
     * Sets the least time between two look-aheads, positive; 1 s by default. Events in between are
     * considered together.
     *
     * @throws IllegalArgumentException if {@code pause} is not positive
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
     * Sets the maximum number of concurrent transfers, not negative; 4 by default. With 0, data
     * sets only affect placement.
     *
     * @throws IllegalArgumentException if {@code copies} is negative
     */
    public Builder mostAtOnce(int copies) {
      mostAtOnce = requireNotNegative(copies, "the copies under way at once");
      return this;
    }

    /**
     * Sets the least expected saving of a transfer in GPU-seconds, positive; 1 by default.
     *
     * @throws IllegalArgumentException if {@code gpuSeconds} is not positive and finite
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
     * Sets the maximum probability that a transferred copy stays unread, in [0, 1], which bounds
     * the expected fraction of wasted bytes; 1 by default, unbounded. Below 1, no copy is brought
     * early to a place that jobs still to come may take, nor for a job with as many unread copies
     * as it reads. Not for Liquid's rule.
     *
     * @throws IllegalArgumentException if {@code part} is not in [0, 1]
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
     * Sets the number of additional left-over GPUs tolerated for a placement with the data sets,
     * not negative; 0 by default.
     *
     * @throws IllegalArgumentException if {@code gpus} is negative
     */
    public Builder localityGpus(int gpus) {
      localityGpus = requireNotNegative(gpus, "the GPUs left over");
      return this;
    }

    /** Returns the options. */
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
