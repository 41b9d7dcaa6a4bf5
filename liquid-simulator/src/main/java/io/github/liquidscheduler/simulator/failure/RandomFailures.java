package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import java.time.Duration;
import java.util.Iterator;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Nodes that fail at random: each at the same rate, at any time, independently of the others (a
 * Poisson process), and each for the same time. The same seed gives the same failures on every
 * machine.
 *
 * @param meanTimeBetween the mean time between two failures of one node, more than zero
 * @param repair how long a node is gone
 * @param seed what the draws start from
 */
public record RandomFailures(Duration meanTimeBetween, Duration repair, long seed) {

  private static final double MOST_SECONDS = 3e9;

  /**
   * Checks the times.
   *
   * @throws IllegalArgumentException if the mean time is not from a second to a hundred years of
   *     365 days, or the repair time is negative or longer than that
   */
  public RandomFailures {
    Duration most = Duration.ofDays(36_500);
    if (meanTimeBetween.compareTo(Duration.ofSeconds(1)) < 0
        || meanTimeBetween.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "the mean time between failures of a node must be from 1 s to %s, but was %s"
              .formatted(most, meanTimeBetween));
    }
    if (repair.isNegative() || repair.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "the repair time of a node must be from 0 s to %s, but was %s".formatted(most, repair));
    }
  }

  /** Returns the outages of the cluster's nodes, in order of their begin, for about a century. */
  public Iterator<Outage> outages(ClusterTopology topology) {
    Random random = new Random(seed);
    double meanSeconds = meanTimeBetween.toMillis() / 1000.0 / topology.nodes().size();
    double[] seconds = {0};
    return Stream.generate(
            () -> {
              // StrictMath, because Math may differ in the last bit between machines.
              seconds[0] -= meanSeconds * StrictMath.log(1 - random.nextDouble());
              Duration from = Duration.ofMillis(Math.round(seconds[0] * 1000));
              Node node = topology.nodes().get(random.nextInt(topology.nodes().size()));
              return new Outage(node.id(), from, from.plus(repair));
            })
        .takeWhile(outage -> seconds[0] < MOST_SECONDS)
        .iterator();
  }
}
