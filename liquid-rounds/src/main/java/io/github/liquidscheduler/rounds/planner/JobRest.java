package io.github.liquidscheduler.rounds.planner;

import java.util.ArrayList;
import java.util.List;

/**
 * What is left of a job whose first tasks have started.
 *
 * @param job the whole job
 * @param round the first round that has tasks left; past the last if none has
 * @param tasks the tasks of that round that have not started
 * @param barrier when that round may begin, in seconds
 * @param synchronizedAt when the tasks of that round that have started have synchronized; the
 *     barrier if none has
 */
record JobRest(
    RoundJob job, int round, List<Integer> tasks, double barrier, double synchronizedAt) {

  static JobRest of(RoundJob job, List<RoundPlan.Run> started) {
    int round = started.stream().mapToInt(RoundPlan.Run::round).max().orElse(0);
    double barrier = synchronizedAt(started, round - 1, job.arrival());
    List<Integer> left = left(job, started, round);
    if (left.isEmpty()) {
      round++;
      barrier = synchronizedAt(started, round - 1, barrier);
      left = left(job, started, round);
    }
    return new JobRest(job, round, left, barrier, synchronizedAt(started, round, barrier));
  }

  private static double synchronizedAt(List<RoundPlan.Run> started, int round, double atLeast) {
    return started.stream()
        .filter(run -> run.round() == round)
        .mapToDouble(RoundPlan.Run::synchronizedAt)
        .reduce(atLeast, Math::max);
  }

  private static List<Integer> left(RoundJob job, List<RoundPlan.Run> started, int round) {
    List<Integer> left = new ArrayList<>();
    for (int task = 0; task < job.scale(); task++) {
      left.add(task);
    }
    started.stream()
        .filter(run -> run.round() == round)
        .forEach(run -> left.remove(Integer.valueOf(run.task())));
    return left;
  }

  boolean isDone() {
    return round == job.rounds();
  }

  /** Returns the rounds left as a job of its own, which comes when it may go on. */
  RoundJob asJob(double now) {
    return new RoundJob(
        job.id(),
        Math.max(now, barrier),
        job.weight(),
        job.rounds() - round,
        job.scale(),
        job.times());
  }

  /** Returns how many tasks of the first round left have started. */
  int startedTasks() {
    return job.scale() - tasks.size();
  }

  /** Returns a task of {@link #asJob} as the one of the whole job that it is. */
  RoundPlan.Run original(RoundPlan.Run run) {
    int task = run.round() == 0 ? tasks.get(run.task() - startedTasks()) : run.task();
    return new RoundPlan.Run(
        run.job(), run.round() + round, task, run.start(), run.end(), run.synchronizedAt());
  }
}
