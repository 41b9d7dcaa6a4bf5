package io.github.liquidscheduler.placement.cost;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/*
 * Idea: eight numbers that scale a topology's data sheet to measured iterations; an iteration is
 * the p-norm of computing and communicating, so that one exponent covers no overlap (1) to full
 * overlap.
 * Invariants: immutable and checked in the builder; exposedSeconds is never negative and never
 * grows when a link gets faster (NetworkLaws).
 * Cost: O(1) for each question; exposedSeconds takes one pow, one log1p and one expm1, which keep
 * small differences exact.
 * Rejected: (c^g + n^g)^(1/g) - c as written, which loses small exposed parts to cancellation.
 * Source: Pollux, OSDI 21, section 3.2, for the overlap; fits in docs/performance.md.
 */
/**
 * The parameters of a network beyond its topology: efficiency, latency, and the overlap of
 * computing and communicating. Best fitted from measured iterations; the defaults suit a well-tuned
 * network. Immutable.
 */
public final class NetworkParameters {

  /** Every default. */
  public static final NetworkParameters DEFAULT = builder().build();

  private static final double NANOS_PER_SECOND = 1e9;

  private final double linkEfficiency;
  private final double fabricEfficiency;
  private final Duration linkLatency;
  private final Duration fabricLatency;
  private final double pairPenalty;
  private final double overlap;
  private final double skew;
  private final AllReduceAlgorithm allReduce;

  private NetworkParameters(Builder builder) {
    linkEfficiency = builder.linkEfficiency;
    fabricEfficiency = builder.fabricEfficiency;
    linkLatency = builder.linkLatency;
    fabricLatency = builder.fabricLatency;
    pairPenalty = builder.pairPenalty;
    overlap = builder.overlap;
    skew = builder.skew;
    allReduce = builder.allReduce;
  }

  /** Returns a builder in which every parameter has its default. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts from these parameters. */
  public Builder toBuilder() {
    return builder()
        .linkEfficiency(linkEfficiency)
        .fabricEfficiency(fabricEfficiency)
        .linkLatency(linkLatency)
        .fabricLatency(fabricLatency)
        .pairPenalty(pairPenalty)
        .overlap(overlap)
        .skew(skew)
        .allReduce(allReduce);
  }

  /** Returns the part of the bandwidth of network cards and uplinks that jobs get; 0.8. */
  public double linkEfficiency() {
    return linkEfficiency;
  }

  /** Returns the part of the bandwidth between GPUs of a node or NVLink domain; 0.8. */
  public double fabricEfficiency() {
    return fabricEfficiency;
  }

  /** Returns the latency of a transfer between nodes; 20 microseconds. */
  public Duration linkLatency() {
    return linkLatency;
  }

  /** Returns the latency of a transfer between GPUs of a node; 5 microseconds. */
  public Duration fabricLatency() {
    return fabricLatency;
  }

  /**
   * Returns the fraction by which an all-reduce between exactly two nodes is slower than its
   * bandwidth, since both directions of the ring join the same two hosts; 0. About one half was
   * measured over TCP.
   */
  public double pairPenalty() {
    return pairPenalty;
  }

  /**
   * Returns the exponent {@code g} in {@code iteration = (compute^g + communicate^g)^(1/g)}: 1 when
   * nothing overlaps, larger the more of it does (Pollux, OSDI 21, section 3.2); 5.3.
   */
  public double overlap() {
    return overlap;
  }

  /**
   * Returns the fraction of {@code ln k} by which computing on {@code k} GPUs takes longer than on
   * one, since all wait for the slowest; 0.057.
   */
  public double skew() {
    return skew;
  }

  /** Returns the all-reduce algorithm; {@link AllReduceAlgorithm#RING}. */
  public AllReduceAlgorithm allReduce() {
    return allReduce;
  }

  /** Returns the seconds of computing on each of {@code gpus} GPUs. */
  public double computeSeconds(double oneGpu, int gpus) {
    return gpus < 2 ? oneGpu : oneGpu * (1 + skew * Math.log(gpus));
  }

  /** Returns the seconds of an iteration. */
  public double iterationSeconds(double compute, double communicate) {
    return compute + exposedSeconds(compute, communicate);
  }

  /**
   * Returns the seconds by which communicating makes an iteration longer than computing alone;
   * exact also when nearly all is hidden.
   */
  public double exposedSeconds(double compute, double communicate) {
    double longer = Math.max(compute, communicate);
    if (longer == 0 || Double.isInfinite(longer)) {
      return communicate;
    }
    double ratio = Math.min(compute, communicate) / longer;
    double above = longer * Math.expm1(Math.log1p(Math.pow(ratio, overlap)) / overlap);
    return longer - compute + above;
  }

  /** Returns the latency of a link between nodes or domains in seconds. */
  public double linkLatencySeconds() {
    return linkLatency.toNanos() / NANOS_PER_SECOND;
  }

  /** Returns the latency of the fabric that joins GPUs of a node in seconds. */
  public double fabricLatencySeconds() {
    return fabricLatency.toNanos() / NANOS_PER_SECOND;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NetworkParameters that
        && linkEfficiency == that.linkEfficiency
        && fabricEfficiency == that.fabricEfficiency
        && linkLatency.equals(that.linkLatency)
        && fabricLatency.equals(that.fabricLatency)
        && pairPenalty == that.pairPenalty
        && overlap == that.overlap
        && skew == that.skew
        && allReduce == that.allReduce;
  }

  @Override
  public int hashCode() {
    return Objects.hash(linkEfficiency, fabricEfficiency, linkLatency, overlap, skew);
  }

  /** Returns all parameters on one line. */
  @Override
  public String toString() {
    return "link efficiency %s, fabric efficiency %s, link latency %s, fabric latency %s, "
            .formatted(linkEfficiency, fabricEfficiency, linkLatency, fabricLatency)
        + "pair penalty %s, overlap %s, skew %s, all-reduce %s"
            .formatted(pairPenalty, overlap, skew, allReduce);
  }

  /** Builds {@link NetworkParameters}. Not thread-safe. */
  public static final class Builder {
    private double linkEfficiency = 0.8;
    private double fabricEfficiency = 0.8;
    private Duration linkLatency = Duration.ofNanos(20_000);
    private Duration fabricLatency = Duration.ofNanos(5_000);
    private double pairPenalty;
    private double overlap = 5.3;
    private double skew = 0.057;
    private AllReduceAlgorithm allReduce = AllReduceAlgorithm.RING;

    private Builder() {}

    /**
     * Sets the part of the bandwidth of network cards and uplinks that jobs get.
     *
     * @throws IllegalArgumentException if it is not more than 0 and at most 1
     */
    public Builder linkEfficiency(double linkEfficiency) {
      this.linkEfficiency = requirePart("link efficiency", linkEfficiency);
      return this;
    }

    /**
     * Sets the part of the bandwidth between GPUs that jobs get.
     *
     * @throws IllegalArgumentException if it is not more than 0 and at most 1
     */
    public Builder fabricEfficiency(double fabricEfficiency) {
      this.fabricEfficiency = requirePart("fabric efficiency", fabricEfficiency);
      return this;
    }

    /**
     * Sets the latency of a transfer between nodes.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder linkLatency(Duration linkLatency) {
      this.linkLatency = requireLatency("link latency", linkLatency);
      return this;
    }

    /**
     * Sets the latency of a transfer between GPUs of a node.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder fabricLatency(Duration fabricLatency) {
      this.fabricLatency = requireLatency("fabric latency", fabricLatency);
      return this;
    }

    /**
     * Sets the fraction by which an all-reduce between exactly two nodes is slower.
     *
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public Builder pairPenalty(double pairPenalty) {
      this.pairPenalty = requireAtLeast("pair penalty", 0, pairPenalty);
      return this;
    }

    /**
     * Sets the exponent of overlap.
     *
     * @throws IllegalArgumentException if it is less than 1 or not finite
     */
    public Builder overlap(double overlap) {
      this.overlap = requireAtLeast("overlap", 1, overlap);
      return this;
    }

    /**
     * Sets the skew of computing on more GPUs.
     *
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public Builder skew(double skew) {
      this.skew = requireAtLeast("skew", 0, skew);
      return this;
    }

    /** Sets the all-reduce algorithm. */
    public Builder allReduce(AllReduceAlgorithm allReduce) {
      this.allReduce = Objects.requireNonNull(allReduce, "allReduce");
      return this;
    }

    /** Returns the parameters. */
    public NetworkParameters build() {
      return new NetworkParameters(this);
    }

    private static double requirePart(String name, double part) {
      if (!(part > 0 && part <= 1)) {
        throw new IllegalArgumentException(
            name + " must be more than 0 and at most 1, but was " + part);
      }
      return part;
    }

    private static double requireAtLeast(String name, double least, double value) {
      if (!(value >= least && value < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            name + " must be finite and at least " + least + ", but was " + value);
      }
      return value;
    }

    private static Duration requireLatency(String name, Duration latency) {
      if (latency.isNegative()) {
        throw new IllegalArgumentException(name + " must not be negative, but was " + latency);
      }
      return latency;
    }
  }

  /** The algorithms by which the GPUs of a job sum a buffer. */
  public enum AllReduceAlgorithm {

    /**
     * One ring through all GPUs, node by node: every link on it carries {@code 2 (k - 1) / k} of
     * the buffer for {@code k} GPUs, and the slowest sets the transfer seconds.
     */
    RING,

    /**
     * First the GPUs of each node among themselves, then node with node: {@code 2 (g - 1) / g} of
     * the buffer inside a node of {@code g} GPUs, and then {@code 2 (n - 1) / n} of it between
     * {@code n} nodes.
     */
    HIERARCHICAL
  }
}
