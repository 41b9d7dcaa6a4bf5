package io.github.liquidscheduler.simulator.rounds.baseline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Assigns jobs to queues at the least sum of completion times: a job in position {@code k} from the
 * end of a queue delays itself and the {@code k - 1} behind it, so it costs {@code k} times its
 * length (Horn, Operations Research 21(3), 1973; Bruno, Coffman and Sethi, CACM 17(7), 1974), and
 * once the time until its queue is open.
 *
 * <p>Shortest augmenting paths: one job after the other takes a position, and others make way along
 * the cheapest path, of which dual prices tell. A position opens when the one behind it is taken:
 * before, it is never cheaper than that one. So there are never more positions to look at than jobs
 * and queues, where a library's matching needs all {@code jobs × queues}.
 */
final class AugmentingAssignment {

  static final int NONE = -1;

  private final double[] delays;
  private final double[][] lengths;

  private final List<Position> positions = new ArrayList<>();
  private final double[] jobPrices;

  /** A position of a queue, counted from its end, and who takes it at which price. */
  private static final class Position {
    final int queue;
    final int fromEnd;
    int job = NONE;
    double price;

    /** On the search for a path: what the path to it costs, and the position before it. */
    double distance;

    int before;
    boolean isSettled;

    Position(int queue, int fromEnd) {
      this.queue = queue;
      this.fromEnd = fromEnd;
    }
  }

  /** Assigns jobs by when each queue opens, at least 0, and their positive lengths by queue. */
  AugmentingAssignment(double[] delays, double[][] lengths) {
    this.delays = delays;
    this.lengths = lengths;
    jobPrices = new double[lengths.length];
    for (int queue = 0; queue < delays.length; queue++) {
      positions.add(new Position(queue, 1));
    }
    for (int job = 0; job < lengths.length; job++) {
      assign(job);
    }
  }

  /** Returns the first job of each queue, or {@link #NONE}. */
  int[] heads() {
    int[] heads = new int[delays.length];
    int[] longest = new int[delays.length];
    Arrays.fill(heads, NONE);
    for (Position position : positions) {
      if (position.job != NONE && position.fromEnd > longest[position.queue]) {
        heads[position.queue] = position.job;
        longest[position.queue] = position.fromEnd;
      }
    }
    return heads;
  }

  /** Returns the sum of completion times. */
  double cost() {
    return positions.stream()
        .filter(position -> position.job != NONE)
        .mapToDouble(position -> cost(position.job, position))
        .sum();
  }

  private double cost(int job, Position at) {
    return at.fromEnd * lengths[job][at.queue] + delays[at.queue];
  }

  private void assign(int job) {
    for (Position position : positions) {
      position.distance = Double.POSITIVE_INFINITY;
      position.isSettled = false;
    }
    int from = NONE;
    int settling = job;
    double distance = 0;
    int end = NONE;
    while (end == NONE) {
      relax(settling, from, distance);
      int next = nearest();
      Position nearest = positions.get(next);
      distance = nearest.distance;
      nearest.isSettled = true;
      from = next;
      settling = nearest.job;
      end = nearest.job == NONE ? next : NONE;
    }
    reprice(job, distance);
    augment(job, end);
    Position taken = positions.get(end);
    positions.add(new Position(taken.queue, taken.fromEnd + 1));
  }

  private void relax(int job, int from, double distance) {
    for (Position position : positions) {
      if (!position.isSettled) {
        double through = distance + cost(job, position) - jobPrices[job] - position.price;
        if (through < position.distance) {
          position.distance = through;
          position.before = from;
        }
      }
    }
  }

  private int nearest() {
    int nearest = NONE;
    double least = Double.POSITIVE_INFINITY;
    for (int at = 0; at < positions.size(); at++) {
      Position position = positions.get(at);
      if (!position.isSettled && position.distance < least) {
        nearest = at;
        least = position.distance;
      }
    }
    return nearest;
  }

  private void reprice(int job, double distance) {
    jobPrices[job] += distance;
    for (Position position : positions) {
      if (position.isSettled && position.job != NONE) {
        jobPrices[position.job] += distance - position.distance;
        position.price -= distance - position.distance;
      }
    }
  }

  private void augment(int job, int end) {
    int at = end;
    while (positions.get(at).before != NONE) {
      int before = positions.get(at).before;
      positions.get(at).job = positions.get(before).job;
      at = before;
    }
    positions.get(at).job = job;
  }
}
