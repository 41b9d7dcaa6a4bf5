package io.github.liquidscheduler.rounds.planner;

/** The least sum of weighted ends, by trying all orders of tasks on all GPUs. */
final class ExhaustiveRounds {

  private final RoundProblem problem;
  private final TaskTime[][] times;
  private final double[] leastWhole;
  private final double[] free;
  private final Progress[] progress;
  private double best = Double.POSITIVE_INFINITY;

  /** Where one job is: its round, the tasks of it that are not placed, and its barriers. */
  private record Progress(int round, int left, double barrier, double next) {}

  private ExhaustiveRounds(RoundProblem problem) {
    this.problem = problem;
    int jobs = problem.jobs().size();
    times = new TaskTime[jobs][];
    leastWhole = new double[jobs];
    progress = new Progress[jobs];
    free = new double[problem.gpus().size()];
    for (int job = 0; job < jobs; job++) {
      times[job] = problem.times(job);
      leastWhole[job] = Double.POSITIVE_INFINITY;
      for (TaskTime time : times[job]) {
        leastWhole[job] = Math.min(leastWhole[job], time.whole());
      }
      RoundJob of = problem.jobs().get(job);
      progress[job] = new Progress(0, of.scale(), of.arrival(), of.arrival());
    }
  }

  static double leastWeightedEnd(RoundProblem problem) {
    ExhaustiveRounds search = new ExhaustiveRounds(problem);
    search.placeFrom(0);
    return search.best;
  }

  /** Places one more task, which starts no earlier than the one before. */
  private void placeFrom(double earliest) {
    double bound = bound();
    if (bound >= best) {
      return;
    }
    boolean isDone = true;
    for (int job = 0; job < progress.length; job++) {
      if (progress[job].round() < problem.jobs().get(job).rounds()) {
        isDone = false;
        place(job, earliest);
      }
    }
    if (isDone) {
      best = bound;
    }
  }

  private void place(int job, double earliest) {
    Progress before = progress[job];
    for (int gpu = 0; gpu < free.length; gpu++) {
      double freeBefore = free[gpu];
      double start = Math.max(freeBefore, before.barrier());
      if (start >= earliest) {
        TaskTime time = times[job][gpu];
        free[gpu] = start + time.compute();
        progress[job] = after(job, before, start + time.whole());
        placeFrom(start);
        free[gpu] = freeBefore;
        progress[job] = before;
      }
    }
  }

  private Progress after(int job, Progress before, double synchronizedAt) {
    double next = Math.max(before.next(), synchronizedAt);
    return before.left() > 1
        ? new Progress(before.round(), before.left() - 1, before.barrier(), next)
        : new Progress(before.round() + 1, problem.jobs().get(job).scale(), next, next);
  }

  private double bound() {
    double sum = 0;
    for (int job = 0; job < progress.length; job++) {
      Progress at = progress[job];
      int rounds = problem.jobs().get(job).rounds() - at.round();
      double end = Math.max(at.next(), at.barrier() + rounds * leastWhole[job]);
      sum += problem.jobs().get(job).weight() * end;
    }
    return sum;
  }
}
