package io.github.liquidscheduler.simulator.rounds.baseline;

import io.github.liquidscheduler.rounds.planner.RoundAlgorithm;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Gangs: a job starts when as many GPUs are free as a round has tasks, and holds them to its end;
 * each round takes the time of the slowest of them.
 */
public final class GangPlanner implements RoundAlgorithm {

  /** How far a job is behind others, by position; lower goes first. */
  @FunctionalInterface
  private interface Rank {
    double of(RoundProblem problem, int job);
  }

  private final Rank rank;
  private final boolean mayBypass;
  private final boolean knowsSpeeds;

  private GangPlanner(Rank rank, boolean mayBypass, boolean knowsSpeeds) {
    this.rank = rank;
    this.mayBypass = mayBypass;
    this.knowsSpeeds = knowsSpeeds;
  }

  /**
   * Returns first come, first served on the fastest GPUs that are free; no job starts before one
   * that came earlier. Hare compares with it as Gavel_FIFO.
   */
  public static GangPlanner firstComeFirstServed() {
    return new GangPlanner((problem, job) -> problem.jobs().get(job).arrival(), false, true);
  }

  /**
   * Returns shortest job first on the fastest GPUs that are free; of the jobs that have arrived and
   * fit, the one whose rounds compute for the least time on an average GPU.
   */
  public static GangPlanner shortestFirst() {
    return new GangPlanner(GangPlanner::averageSeconds, true, true);
  }

  /**
   * Returns a scheduler that takes all GPUs for equal, namely for the average one: of the jobs that
   * have arrived and fit, the one of least work for its weight starts on the GPUs of lowest number.
   * Hare compares with the like as Sched_Homo (Zhang et al., MobiHoc 2020), of which it tells no
   * more than that.
   */
  public static GangPlanner equalGpus() {
    return new GangPlanner(
        (problem, job) ->
            averageSeconds(problem, job)
                * problem.jobs().get(job).scale()
                / problem.jobs().get(job).weight(),
        true,
        false);
  }

  private static double averageSeconds(RoundProblem problem, int job) {
    double average =
        Arrays.stream(problem.times(job)).mapToDouble(TaskTime::compute).average().orElseThrow();
    return problem.jobs().get(job).rounds() * average;
  }

  /**
   * Returns the plan.
   *
   * @throws IllegalArgumentException if a round of a job has more tasks than there are GPUs
   */
  @Override
  public RoundPlan plan(RoundProblem problem) {
    requireFits(problem);
    JobRuns runs = new JobRuns(problem);
    List<Integer> waiting = new ArrayList<>(ranked(problem));
    double now = 0;
    while (!waiting.isEmpty()) {
      startAll(problem, runs, waiting, now);
      now = Math.min(runs.nextFree(now), nextArrival(problem, waiting, now));
    }
    return runs.plan();
  }

  static void requireFits(RoundProblem problem) {
    for (RoundJob job : problem.jobs()) {
      if (job.scale() > problem.gpus().size()) {
        throw new IllegalArgumentException(
            "a gang must have at most as many tasks as the fleet has GPUs, %d, but job '%s' has %d"
                .formatted(problem.gpus().size(), job.id(), job.scale()));
      }
    }
  }

  private List<Integer> ranked(RoundProblem problem) {
    return IntStream.range(0, problem.jobs().size())
        .boxed()
        .sorted(Comparator.comparingDouble(job -> rank.of(problem, job)))
        .toList();
  }

  private void startAll(RoundProblem problem, JobRuns runs, List<Integer> waiting, double now) {
    for (int at = 0; at < waiting.size(); at++) {
      int job = waiting.get(at);
      if (problem.jobs().get(job).arrival() <= now) {
        List<Integer> gpus = freeGpus(problem, runs, job, now);
        if (gpus.size() == problem.jobs().get(job).scale()) {
          runs.start(problem.jobs().get(job), gpus, now);
          waiting.remove(at--);
        } else if (!mayBypass) {
          return;
        }
      }
    }
  }

  private List<Integer> freeGpus(RoundProblem problem, JobRuns runs, int job, double now) {
    int scale = problem.jobs().get(job).scale();
    return knowsSpeeds
        ? runs.fastestFree(problem.times(job), scale, now)
        : runs.firstFree(scale, now);
  }

  private static double nextArrival(RoundProblem problem, List<Integer> waiting, double now) {
    return waiting.stream()
        .mapToDouble(job -> problem.jobs().get(job).arrival())
        .filter(arrival -> arrival > now)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
