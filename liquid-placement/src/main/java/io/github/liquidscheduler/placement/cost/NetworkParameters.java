package io.github.liquidscheduler.placement.cost;

import java.time.Duration;
import java.util.Objects;

/*
 * Idea: eight numbers that scale a topology's data sheet to measured iterations; an iteration is
 * the p-norm of computing and communicating, so that one exponent covers no overlap (1) to full
 * overlap.
 * Invariants: checked when made; exposedSeconds is never negative and never
 * grows when a link gets faster (NetworkLaws).
 * Cost: O(1) for each question; exposedSeconds takes one pow, one log1p and one expm1, which keep
 * small differences exact.
 * Rejected: (c^g + n^g)^(1/g) - c as written, which loses small exposed parts to cancellation.
 * Source: Pollux, OSDI 21, section 3.2, for the overlap; fits in docs/performance.md.
 */
/**
 * The parameters of a network beyond its topology: efficiency, latency, and the overlap of
 * computing and communicating. Best fitted from measured iterations; the defaults suit a well-tuned
 * network.
 *
 * @param linkEfficiency the part of the bandwidth of network cards and uplinks that jobs get, in
 *     (0, 1]; 0.8 by default
 * @param fabricEfficiency the part of the bandwidth between GPUs of a node or NVLink domain, in (0,
 *     1]; 0.8 by default
 * @param linkLatency the latency of a transfer between nodes, not negative; 20 microseconds by
 *     default
 * @param fabricLatency the latency of a transfer between GPUs of a node, not negative; 5
 *     microseconds by default
 * @param pairPenalty the fraction by which an all-reduce between exactly two nodes is slower than
 *     its bandwidth, since both directions of the ring join the same two hosts, at least 0; 0 by
 *     default. About one half was measured over TCP
 * @param overlap the exponent {@code g} in {@code iteration = (compute^g + communicate^g)^(1/g)}: 1
 *     when nothing overlaps, larger the more of it does (Pollux, OSDI 21, section 3.2); 5.3 by
 *     default
 * @param skew the fraction of {@code ln k} by which computing on {@code k} GPUs takes longer than
 *     on one, since all wait for the slowest, at least 0; 0.057 by default
 * @param allReduce the all-reduce algorithm; {@link AllReduceAlgorithm#RING} by default
 */
public record NetworkParameters(
    double linkEfficiency,
    double fabricEfficiency,
    Duration linkLatency,
    Duration fabricLatency,
    double pairPenalty,
    double overlap,
    double skew,
    AllReduceAlgorithm allReduce) {

  /** Every default. */
  public static final NetworkParameters DEFAULT = builder().build();

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Checks the parameters.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public NetworkParameters {
    requirePart("link efficiency", linkEfficiency);
    requirePart("fabric efficiency", fabricEfficiency);
    requireLatency("link latency", linkLatency);
    requireLatency("fabric latency", fabricLatency);
    requireAtLeast("pair penalty", 0, pairPenalty);
    requireAtLeast("overlap", 1, overlap);
    requireAtLeast("skew", 0, skew);
    Objects.requireNonNull(allReduce, "allReduce");
  }

  private static void requirePart(String name, double part) {
    if (!(part > 0 && part <= 1)) {
      throw new IllegalArgumentException(
          name + " must be more than 0 and at most 1, but was " + part);
    }
  }

  private static void requireAtLeast(String name, double least, double value) {
    if (!(value >= least && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          name + " must be finite and at least " + least + ", but was " + value);
    }
  }

  private static void requireLatency(String name, Duration latency) {
    if (latency.isNegative()) {
      throw new IllegalArgumentException(name + " must not be negative, but was " + latency);
    }
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

    /** Sets the part of the bandwidth of network cards and uplinks that jobs get. */
    public Builder linkEfficiency(double linkEfficiency) {
      this.linkEfficiency = linkEfficiency;
      return this;
    }

    /** Sets the part of the bandwidth between GPUs that jobs get. */
    public Builder fabricEfficiency(double fabricEfficiency) {
      this.fabricEfficiency = fabricEfficiency;
      return this;
    }

    /** Sets the latency of a transfer between nodes. */
    public Builder linkLatency(Duration linkLatency) {
      this.linkLatency = linkLatency;
      return this;
    }

    /** Sets the latency of a transfer between GPUs of a node. */
    public Builder fabricLatency(Duration fabricLatency) {
      this.fabricLatency = fabricLatency;
      return this;
    }

    /** Sets the fraction by which an all-reduce between exactly two nodes is slower. */
    public Builder pairPenalty(double pairPenalty) {
      this.pairPenalty = pairPenalty;
      return this;
    }

    /** Sets the exponent of overlap. */
    public Builder overlap(double overlap) {
      this.overlap = overlap;
      return this;
    }

    /** Sets the skew of computing on more GPUs. */
    public Builder skew(double skew) {
      this.skew = skew;
      return this;
    }

    /** Sets the all-reduce algorithm. */
    public Builder allReduce(AllReduceAlgorithm allReduce) {
      this.allReduce = allReduce;
      return this;
    }

    /**
     * Returns the parameters.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public NetworkParameters build() {
      return new NetworkParameters(
          linkEfficiency,
          fabricEfficiency,
          linkLatency,
          fabricLatency,
          pairPenalty,
          overlap,
          skew,
          allReduce);
    }
  }
}
