package io.github.liquidscheduler.planner.rounds;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What is known of the best plan without finding it.
 *
 * @param alpha how many times as long the same task takes on one GPU as on another, at most, in
 *     computing or in synchronizing; at least 1
 * @param weightedEnd a sum of weighted ends, in seconds, that no plan is below
 */
public record RoundBounds(double alpha, double weightedEnd) {

  /** What a job takes at least, in seconds. */
  private record Least(RoundJob job, double alone, double fleet) {

    double fleetByWeight() {
      return fleet / job.weight();
    }
  }

  /**
   * Returns the bounds of a problem. No job ends before all its rounds have passed one after the
   * other on its fastest GPUs; nor do jobs end sooner than if the fleet were one GPU that computes
   * the tasks of all its GPUs one after the other, each as fast as the fastest would, where Smith's
   * rule is best. The larger sum counts.
   */
  public static RoundBounds of(RoundProblem problem) {
    double alpha = 1;
    List<Least> jobs = new ArrayList<>();
    for (int position = 0; position < problem.jobs().size(); position++) {
      TaskTime[] times = problem.times(position);
      alpha = Math.max(alpha, ratio(times, TaskTime::compute));
      alpha = Math.max(alpha, ratio(times, TaskTime::synchronize));
      jobs.add(least(problem.jobs().get(position), times));
    }
    double alone = jobs.stream().mapToDouble(least -> least.job().weight() * least.alone()).sum();
    return new RoundBounds(alpha, Math.max(alone, oneAfterTheOther(jobs)));
  }

  /**
   * Returns how many times the best sum of weighted ends a plan of Algorithm 1 comes to at most, on
   * the order of the relaxation (Hare, HPDC'22, theorem 1).
   */
  public double factor() {
    return alpha * (2 + alpha);
  }

  private static double ratio(TaskTime[] times, ToDoubleFunction<TaskTime> of) {
    double least = least(times, of);
    double most = 0;
    for (TaskTime time : times) {
      most = Math.max(most, of.applyAsDouble(time));
    }
    return most == 0 ? 1 : most / least;
  }

  private static Least least(RoundJob job, TaskTime[] times) {
    double compute = least(times, TaskTime::compute);
    double whole = job.rounds() * least(times, TaskTime::whole);
    return new Least(job, job.arrival() + whole, job.tasks() * compute / times.length);
  }

  private static double least(TaskTime[] times, ToDoubleFunction<TaskTime> of) {
    double least = Double.POSITIVE_INFINITY;
    for (TaskTime time : times) {
      least = Math.min(least, of.applyAsDouble(time));
    }
    return least;
  }

  private static double oneAfterTheOther(List<Least> jobs) {
    jobs.sort(Comparator.comparingDouble(Least::fleetByWeight));
    double end = 0;
    double sum = 0;
    for (Least least : jobs) {
      end += least.fleet();
      sum += least.job().weight() * end;
    }
    return sum;
  }
}
