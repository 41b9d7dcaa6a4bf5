package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.ClusterTopology;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Random;

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

  /**
   * Returns the outages of the cluster's nodes in the order of their begin, about a century long.
   */
  public Iterator<Outage> outages(ClusterTopology topology) {
    return new Draws(topology);
  }

  /** Draws outages one by one. */
  private final class Draws implements Iterator<Outage> {

    private final ClusterTopology topology;
    private final Random random = new Random(seed);
    private final double meanSeconds;
    private double seconds;

    Draws(ClusterTopology topology) {
      this.topology = topology;
      meanSeconds = meanTimeBetween.toMillis() / 1000.0 / topology.nodes().size();
      advance();
    }

    @Override
    public boolean hasNext() {
      return seconds < MOST_SECONDS;
    }

    @Override
    public Outage next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Duration from = Duration.ofMillis(Math.round(seconds * 1000));
      int node = random.nextInt(topology.nodes().size());
      advance();
      return new Outage(topology.nodes().get(node).id(), from, from.plus(repair));
    }

    /** StrictMath, because Math may differ in the last bit between machines. */
    private void advance() {
      seconds -= meanSeconds * StrictMath.log(1 - random.nextDouble());
    }
  }
}
