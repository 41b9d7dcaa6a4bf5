package io.github.liquidscheduler.rounds.planner;

import java.util.Comparator;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Rounds in the order in which half of each is done if the fleet is one machine that may interrupt
 * jobs and always works for the one of the least work for its weight: the schedule that solves the
 * relaxation of one machine with arrivals (Goemans, IPCO 1997). Each round of a job follows the one
 * before by no less than it takes on its fastest GPU. Costs {@code O(n log n)} for {@code n} jobs,
 * and as much as there are rounds.
 */
record FluidOrder() implements TaskOrder {

  private static final double HALF = 0.5;

  @Override
  public double[][] keys(RoundProblem problem) {
    return new Machine(problem).keys();
  }

  /** The machine, and how far each job is. */
  private static final class Machine {

    private final RoundProblem problem;
    private final FleetVolume[] volumes;
    private final double[] done;
    private final double[][] keys;
    private final PriorityQueue<Integer> waiting;

    Machine(RoundProblem problem) {
      this.problem = problem;
      int jobs = problem.jobs().size();
      volumes = new FleetVolume[jobs];
      done = new double[jobs];
      keys = new double[jobs][];
      for (int job = 0; job < jobs; job++) {
        volumes[job] = FleetVolume.of(problem.jobs().get(job), problem.times(job));
        keys[job] = new double[problem.jobs().get(job).rounds()];
      }
      waiting =
          new PriorityQueue<>(
              Comparator.<Integer>comparingDouble(
                      job -> volumes[job].whole() / problem.jobs().get(job).weight())
                  .thenComparingInt(job -> job));
    }

    double[][] keys() {
      int[] coming = byArrival();
      int arrived = 0;
      double now = 0;
      while (arrived < coming.length || !waiting.isEmpty()) {
        if (waiting.isEmpty()) {
          now = Math.max(now, arrival(coming[arrived]));
        }
        while (arrived < coming.length && arrival(coming[arrived]) <= now) {
          waiting.add(coming[arrived++]);
        }
        double until =
            arrived < coming.length ? arrival(coming[arrived]) : Double.POSITIVE_INFINITY;
        now = work(Objects.requireNonNull(waiting.peek()), now, until);
      }
      for (int job = 0; job < keys.length; job++) {
        spread(keys[job], volumes[job]);
      }
      return keys;
    }

    private int[] byArrival() {
      return IntStream.range(0, keys.length)
          .boxed()
          .sorted(Comparator.comparingDouble(this::arrival))
          .mapToInt(Integer::intValue)
          .toArray();
    }

    private double arrival(int job) {
      return problem.jobs().get(job).arrival();
    }

    /** Works for a job until it is done or another comes, and returns when that is. */
    private double work(int job, double now, double until) {
      double whole = volumes[job].whole();
      double before = done[job];
      double end = now + (whole - before);
      boolean isDone = end <= until;
      double after = isDone ? whole : before + (until - now);
      int rounds = keys[job].length;
      int first = roundsHalfDone(before, whole, rounds);
      int last = isDone ? rounds : roundsHalfDone(after, whole, rounds);
      for (int round = first; round < last; round++) {
        keys[job][round] = now + Math.max(0, (round + HALF) / rounds * whole - before);
      }
      done[job] = after;
      if (isDone) {
        waiting.remove();
      }
      return isDone ? end : until;
    }

    private static int roundsHalfDone(double done, double whole, int rounds) {
      return Math.clamp((long) Math.ceil(done / whole * rounds - HALF), 0, rounds);
    }

    /** Moves rounds back to where they can be half done at the earliest behind the one before. */
    private static void spread(double[] keys, FleetVolume volume) {
      double least = volume.least() / keys.length;
      keys[0] += Math.max(0, HALF * (least - volume.whole() / keys.length));
      for (int round = 1; round < keys.length; round++) {
        keys[round] = Math.max(keys[round], keys[round - 1] + least);
      }
    }
  }
}
