package io.github.liquidscheduler.rounds.planner;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Weighted shortest processing time first, of all GPUs as one. */
record WorkOrder() implements TaskOrder {

  @Override
  public double[][] keys(RoundProblem problem) {
    int size = problem.jobs().size();
    FleetVolume[] volumes = new FleetVolume[size];
    for (int job = 0; job < size; job++) {
      volumes[job] = FleetVolume.of(problem.jobs().get(job), problem.times(job));
    }
    int[] order =
        IntStream.range(0, size)
            .boxed()
            .sorted(
                Comparator.comparingDouble(
                    job -> volumes[job].whole() / problem.jobs().get(job).weight()))
            .mapToInt(Integer::intValue)
            .toArray();
    double[][] keys = new double[size][];
    double free = 0;
    for (int job : order) {
      RoundJob of = problem.jobs().get(job);
      double start = Math.max(free, of.arrival());
      keys[job] = keys(start, Math.max(volumes[job].whole(), volumes[job].least()), of.rounds());
      free = start + volumes[job].whole();
    }
    return keys;
  }

  private static double[] keys(double start, double seconds, int rounds) {
    double[] keys = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      keys[round] = start + seconds * round / rounds;
    }
    return keys;
  }
}
