package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Workers that become slow at random: on each GPU at the same rate, at any time, independently of
 * the others (a Poisson process), and each for the same time. Nothing of it depends on what runs,
 * so that runs of several policies see the same. The same seed gives the same slowdowns on every
 * machine.
 *
 * @param meanTimeBetween the mean time between two slowdowns on one GPU, from 1 s to a hundred
 *     years of 365 days
 * @param lasting how long a worker is slow, more than zero and no longer than that
 * @param seed what the draws start from
 */
public record RandomSlowdowns(Duration meanTimeBetween, Duration lasting, long seed) {

  private static final Duration MOST = Duration.ofDays(36_500);
  private static final double MOST_SECONDS = 3e9;

  /**
   * Checks the times.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public RandomSlowdowns {
    if (meanTimeBetween.compareTo(Duration.ofSeconds(1)) < 0
        || meanTimeBetween.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "the mean time between slowdowns on a GPU must be from 1 s to %s, but was %s"
              .formatted(MOST, meanTimeBetween));
    }
    if (lasting.isNegative() || lasting.isZero() || lasting.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "a worker must be slow for more than 0 s and at most %s, but was for %s"
              .formatted(MOST, lasting));
    }
  }

  /** Returns the slowdowns on the cluster's GPUs, in order of their begin, for about a century. */
  public Iterator<Slowdown> slowdowns(ClusterTopology topology) {
    List<GpuId> gpus = new ArrayList<>();
    for (Node node : topology.nodes()) {
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        gpus.add(new GpuId(node.id(), gpu));
      }
    }
    if (gpus.isEmpty()) {
      return Collections.emptyIterator();
    }
    Random random = new Random(seed);
    double meanSeconds = meanTimeBetween.toMillis() / 1000.0 / gpus.size();
    double[] seconds = {0};
    return Stream.generate(
            () -> {
              // StrictMath, because Math may differ in the last bit between machines.
              seconds[0] -= meanSeconds * StrictMath.log(1 - random.nextDouble());
              Duration from = Duration.ofMillis(Math.round(seconds[0] * 1000));
              return new Slowdown(gpus.get(random.nextInt(gpus.size())), from, from.plus(lasting));
            })
        .takeWhile(slowdown -> seconds[0] < MOST_SECONDS)
        .iterator();
  }
}
