package io.github.liquidscheduler.simulator.rounds.baseline;

import io.github.liquidscheduler.rounds.planner.RoundAlgorithm;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * One GPU for each job, to its end, as AlloX (Le et al., EuroSys 2020) gives them: whenever a job
 * arrives or ends, the waiting jobs are assigned to GPUs and to positions from the end of their
 * queues at the least sum of completion times, and those in front of a free GPU start. A job's
 * weight counts for nothing.
 */
public final class AlloxPlanner implements RoundAlgorithm {

  @Override
  public RoundPlan plan(RoundProblem problem) {
    double[][] seconds = seconds(problem);
    JobRuns runs = new JobRuns(problem);
    List<Integer> coming =
        new ArrayList<>(
            IntStream.range(0, seconds.length)
                .boxed()
                .sorted(Comparator.comparingDouble(job -> problem.jobs().get(job).arrival()))
                .toList());
    TreeSet<Integer> waiting = new TreeSet<>();
    double now = 0;
    while (!coming.isEmpty() || !waiting.isEmpty()) {
      while (!coming.isEmpty() && problem.jobs().get(coming.getFirst()).arrival() <= now) {
        waiting.add(coming.removeFirst());
      }
      startAll(problem, runs, seconds, waiting, now);
      double arrival =
          coming.isEmpty()
              ? Double.POSITIVE_INFINITY
              : problem.jobs().get(coming.getFirst()).arrival();
      now = Math.min(arrival, runs.nextFree(now));
    }
    return runs.plan();
  }

  private static double[][] seconds(RoundProblem problem) {
    double[][] seconds = new double[problem.jobs().size()][problem.gpus().size()];
    for (int job = 0; job < seconds.length; job++) {
      RoundJob of = problem.jobs().get(job);
      TaskTime[] times = problem.times(job);
      for (int gpu = 0; gpu < times.length; gpu++) {
        seconds[job][gpu] =
            of.rounds() * (of.scale() * times[gpu].compute() + times[gpu].synchronize());
      }
    }
    return seconds;
  }

  private static void startAll(
      RoundProblem problem, JobRuns runs, double[][] seconds, Set<Integer> waiting, double now) {
    int gpus = problem.gpus().size();
    double[] delays = new double[gpus];
    boolean anyFree = false;
    for (int gpu = 0; gpu < gpus; gpu++) {
      delays[gpu] = Math.max(0, runs.freeAt(gpu) - now);
      anyFree |= runs.isFree(gpu, now);
    }
    if (!anyFree || waiting.isEmpty()) {
      return;
    }
    List<Integer> jobs = List.copyOf(waiting);
    int[] heads =
        new AugmentingAssignment(
                delays, jobs.stream().map(job -> seconds[job]).toArray(double[][]::new))
            .heads();
    for (int gpu = 0; gpu < gpus; gpu++) {
      if (heads[gpu] != AugmentingAssignment.NONE && runs.isFree(gpu, now)) {
        int job = jobs.get(heads[gpu]);
        runs.start(problem.jobs().get(job), List.of(gpu), now);
        waiting.remove(job);
      }
    }
  }
}
