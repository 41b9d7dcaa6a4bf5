package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.text.Count;
import java.util.Objects;

/**
 * The time of one iteration of data-parallel training, by number of GPUs, widest level spanned and
 * samples on each GPU: the time to compute and the time to synchronise, which overlap in part (Qiao
 * et al., Pollux, OSDI 2021, section 3.2).
 *
 * <p>With {@code C = computing.at(local batch)} and {@code S} the line of the placement at {@code
 * gpus - 2}, 0 for one GPU, an iteration takes {@code (C^gamma + S^gamma)^(1/gamma)}: the sum of
 * both for a gamma of 1, and nearly the larger of both for a gamma of 10.
 *
 * @param computing seconds to compute the gradients, by samples on each GPU
 * @param withinNode seconds to synchronise on one node, by GPUs beyond two
 * @param acrossNodes seconds to synchronise over several nodes, by GPUs beyond two; neither number
 *     is less than that of {@code withinNode}
 * @param gamma how far both overlap, from 1 (not at all) to {@value #MAX_GAMMA}
 */
public record ThroughputModel(Line computing, Line withinNode, Line acrossNodes, double gamma) {

  /** The largest gamma that tells anything: from here on, the longer time hides the shorter one. */
  public static final double MAX_GAMMA = 10;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if computing takes no time, synchronising takes longer within
   *     a node than across, or gamma is out of range
   */
  public ThroughputModel {
    Objects.requireNonNull(computing, "computing");
    if (!(computing.at(1) > 0)) {
      throw new IllegalArgumentException("computing must take time, but took " + computing);
    }
    if (acrossNodes.constant() < withinNode.constant()
        || acrossNodes.slope() < withinNode.slope()) {
      throw new IllegalArgumentException(
          "synchronising must not take less across nodes than within one, but took %s and %s"
              .formatted(acrossNodes, withinNode));
    }
    if (!(gamma >= 1 && gamma <= MAX_GAMMA)) {
      throw new IllegalArgumentException("gamma must be from 1 to 10, but was " + gamma);
    }
  }

  /**
   * Returns the seconds of one iteration.
   *
   * @param localBatch the samples on each GPU, positive
   */
  public double iterationSeconds(Replicas replicas, double localBatch) {
    double computed = computing.at(localBatch);
    double synchronised = synchronisationSeconds(replicas);
    double longer = Math.max(computed, synchronised);
    double ratio = Math.min(computed, synchronised) / longer;
    return longer * Math.pow(1 + Math.pow(ratio, gamma), 1 / gamma);
  }

  /**
   * Returns the seconds of one iteration that computes gradients {@code accumulations} times more
   * before it synchronises them.
   *
   * @param localBatch the samples on each GPU each time, positive
   */
  public double iterationSeconds(Replicas replicas, double localBatch, int accumulations) {
    return accumulations * computing.at(localBatch) + iterationSeconds(replicas, localBatch);
  }

  /**
   * Returns the samples per second.
   *
   * @param localBatch the samples on each GPU each time, positive
   * @param accumulations how many times more gradients are computed before they are synchronised
   */
  public double samplesPerSecond(Replicas replicas, double localBatch, int accumulations) {
    double samples = replicas.gpus() * localBatch * (accumulations + 1);
    return samples / iterationSeconds(replicas, localBatch, accumulations);
  }

  private double synchronisationSeconds(Replicas replicas) {
    if (replicas.gpus() == 1) {
      return 0;
    }
    return (replicas.nodes() == 1 ? withinNode : acrossNodes).at(replicas.gpus() - 2);
  }

  /**
   * A number of seconds that grows in proportion to something.
   *
   * @param constant the seconds at 0, not negative
   * @param slope the seconds for each one more, not negative
   */
  public record Line(double constant, double slope) {

    /** The line of no time. */
    public static final Line ZERO = new Line(0, 0);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is negative or not finite
     */
    public Line {
      if (!(constant >= 0 && slope >= 0 && constant + slope < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "seconds must be finite and not negative, but were %s + %s x"
                .formatted(constant, slope));
      }
    }

    /** Returns the seconds at {@code x}. */
    public double at(double x) {
      return constant + slope * x;
    }

    /** Returns {@code factor} times the seconds. */
    public Line times(double factor) {
      return new Line(constant * factor, slope * factor);
    }
  }

  /**
   * The GPUs that hold a copy of the model each, and the nodes that they are spread over.
   *
   * @param gpus how many GPUs, at least 1
   * @param nodes how many nodes, from 1 to {@code gpus}
   */
  public record Replicas(int gpus, int nodes) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Replicas {
      if (nodes < 1 || gpus < nodes) {
        throw new IllegalArgumentException(
            "replicas need 1 node or more and a GPU on each, but had %s and %s"
                .formatted(Count.of(nodes, "node"), Count.of(gpus, "GPU")));
      }
    }
  }
}
