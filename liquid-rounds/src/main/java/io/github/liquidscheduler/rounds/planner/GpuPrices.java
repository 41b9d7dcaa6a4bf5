package io.github.liquidscheduler.rounds.planner;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the time of GPUs costs the jobs that need it: opportunity costs, in weighted seconds of
 * delay. A second of the whole fleet delays each job that has come and not ended by a second. A GPU
 * has the part of it that it has of the fleet's speed, where the speed of a model is the mean over
 * all jobs of how fast it is beside the fastest. Immutable.
 */
final class GpuPrices {

  private final double[] times;
  private final double[] weights;
  private final double[] parts;

  private GpuPrices(double[] times, double[] weights, double[] parts) {
    this.times = times;
    this.weights = weights;
    this.parts = parts;
  }

  /** Returns prices of nothing. */
  static GpuPrices free(int gpus) {
    return new GpuPrices(new double[0], new double[0], new double[gpus]);
  }

  /** Returns the prices if jobs end so, by the seconds that a task of each takes on each GPU. */
  static GpuPrices of(RoundProblem problem, double[] ends, double[][] compute) {
    TreeMap<Double, Double> changes = new TreeMap<>();
    for (int job = 0; job < ends.length; job++) {
      RoundJob of = problem.jobs().get(job);
      changes.merge(of.arrival(), of.weight(), Double::sum);
      changes.merge(ends[job], -of.weight(), Double::sum);
    }
    double[] times = new double[changes.size()];
    double[] weights = new double[changes.size()];
    double sum = 0;
    int at = 0;
    for (Map.Entry<Double, Double> change : changes.entrySet()) {
      sum += change.getValue();
      times[at] = change.getKey();
      weights[at++] = Math.max(0, sum);
    }
    return new GpuPrices(times, weights, parts(compute, problem.gpus().size()));
  }

  private static double[] parts(double[][] compute, int gpus) {
    double[] speeds = new double[gpus];
    for (double[] of : compute) {
      double fastest = Arrays.stream(of).min().orElseThrow();
      for (int gpu = 0; gpu < gpus; gpu++) {
        speeds[gpu] += fastest / of[gpu];
      }
    }
    double fleet = Arrays.stream(speeds).sum();
    return Arrays.stream(speeds).map(speed -> speed / fleet).toArray();
  }

  /** Returns these prices times a factor. */
  GpuPrices times(double factor) {
    return new GpuPrices(times, weights, Arrays.stream(parts).map(part -> part * factor).toArray());
  }

  /** Returns the weight of the jobs that have come and not ended at a time. */
  double waiting(double time) {
    int found = Arrays.binarySearch(times, time);
    int last = found >= 0 ? found : -2 - found;
    return last < 0 ? 0 : weights[last];
  }

  /** Returns what a second of a GPU costs while jobs of so much weight wait. */
  double perSecond(int gpu, double waiting) {
    return waiting * parts[gpu];
  }
}
