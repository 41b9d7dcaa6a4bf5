package io.github.liquidscheduler.rounds.planner.bound;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * What is true of each job in any plan. Arrays go by the positions of jobs and of GPU models.
 *
 * @param arrivals when jobs come
 * @param weights how much their ends count
 * @param least when each ends at the earliest, alone on its fastest GPUs
 * @param behind how long after the mean middle of its tasks each ends at the earliest
 * @param seconds how long all tasks of each take one after the other on a GPU of each model
 * @param gpus the number of GPUs of each model
 */
@SuppressWarnings("ArrayRecordComponent") // the kernel of a search; never leaves the package
record JobFloors(
    double[] arrivals,
    double[] weights,
    double[] least,
    double[] behind,
    double[][] seconds,
    int[] gpus) {

  static JobFloors of(RoundProblem problem) {
    Map<GpuModel, Integer> counts = new LinkedHashMap<>();
    problem.gpus().forEach(model -> counts.merge(model, 1, Integer::sum));
    List<GpuModel> models = List.copyOf(counts.keySet());
    int jobs = problem.jobs().size();
    JobFloors floors =
        new JobFloors(
            new double[jobs],
            new double[jobs],
            new double[jobs],
            new double[jobs],
            new double[jobs][models.size()],
            counts.values().stream().mapToInt(Integer::intValue).toArray());
    for (int job = 0; job < jobs; job++) {
      floors.fill(job, problem.jobs().get(job), models);
    }
    return floors;
  }

  private void fill(int at, RoundJob job, List<GpuModel> models) {
    double whole = Double.POSITIVE_INFINITY;
    double half = Double.POSITIVE_INFINITY;
    for (int model = 0; model < models.size(); model++) {
      TaskTime time = Objects.requireNonNull(job.times().get(models.get(model)));
      whole = Math.min(whole, time.whole());
      half = Math.min(half, time.compute() / 2 + time.synchronize());
      seconds[at][model] = job.tasks() * time.compute();
    }
    arrivals[at] = job.arrival();
    weights[at] = job.weight();
    least[at] = job.arrival() + job.rounds() * whole;
    behind[at] = half + (job.rounds() - 1) * whole / 2;
  }

  /** Returns worths that make a fleet of equal GPUs of it. */
  double[] equalWorths() {
    double[] worths = new double[gpus.length];
    Arrays.fill(worths, 1);
    return worths;
  }

  /** Returns the sum of weighted ends if no job hindered another. */
  double alone() {
    return IntStream.range(0, weights.length).mapToDouble(job -> weights[job] * least[job]).sum();
  }

  /**
   * Returns the mean middles, in seconds, whose sum, weighted by {@code division}, is least on one
   * machine that does {@code worths} of work per second and model.
   */
  double[] meanMiddles(double[] worths, double[] division) {
    double fleet = 0;
    for (int model = 0; model < worths.length; model++) {
      fleet += worths[model] * gpus[model];
    }
    double[] lengths = new double[weights.length];
    for (int job = 0; job < lengths.length; job++) {
      double work = Double.POSITIVE_INFINITY;
      for (int model = 0; model < worths.length; model++) {
        work = Math.min(work, worths[model] * seconds[job][model]);
      }
      lengths[job] = work / fleet;
    }
    return new OneMachine(arrivals, lengths, division).meanMiddles();
  }

  double bound(double[] worths, double[] division, double[] middles) {
    double sum = 0;
    for (int job = 0; job < weights.length; job++) {
      sum += (weights[job] - division[job]) * least[job];
      sum += division[job] * (middles[job] + behind[job]);
    }
    return sum;
  }

  /** Returns by how much the bound grows with each job's part of the division. */
  double[] slopes(double[] middles) {
    double[] slopes = new double[weights.length];
    for (int job = 0; job < slopes.length; job++) {
      slopes[job] = middles[job] + behind[job] - least[job];
    }
    return slopes;
  }

  /** Jobs that one machine does in turns; the one of most weight for its length has precedence. */
  private record OneMachine(double[] arrivals, double[] lengths, double[] weights) {

    double[] meanMiddles() {
      int[] byArrival = sorted(Comparator.comparingDouble(job -> arrivals[job]));
      PriorityQueue<Integer> waiting =
          new PriorityQueue<>(
              Comparator.<Integer>comparingDouble(job -> -weights[job] / lengths[job])
                  .thenComparingInt(job -> job));
      double[] left = lengths.clone();
      double[] middles = new double[lengths.length];
      double now = 0;
      int next = 0;
      while (next < byArrival.length || !waiting.isEmpty()) {
        if (waiting.isEmpty()) {
          now = Math.max(now, arrivals[byArrival[next]]);
        }
        while (next < byArrival.length && arrivals[byArrival[next]] <= now) {
          waiting.add(byArrival[next++]);
        }
        int job = Objects.requireNonNull(waiting.peek());
        double until = next < byArrival.length ? arrivals[byArrival[next]] : Double.MAX_VALUE;
        double worked = Math.min(left[job], until - now);
        middles[job] += worked / lengths[job] * (now + worked / 2);
        boolean isDone = worked == left[job];
        left[job] -= worked;
        now = isDone ? now + worked : until;
        if (isDone) {
          waiting.remove();
        }
      }
      return middles;
    }

    private int[] sorted(Comparator<Integer> order) {
      return IntStream.range(0, lengths.length)
          .boxed()
          .sorted(order)
          .mapToInt(Integer::intValue)
          .toArray();
    }
  }
}
