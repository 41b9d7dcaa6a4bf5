package io.github.liquidscheduler.simulator.rounds.baseline;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Plans in which a job holds its GPUs from its start to its end. Mutable. */
final class JobRuns {

  private final RoundProblem problem;
  private final List<List<RoundPlan.Run>> sequences = new ArrayList<>();
  private final Map<JobId, Double> ends = new LinkedHashMap<>();

  private final double[] free;

  JobRuns(RoundProblem problem) {
    this.problem = problem;
    free = new double[problem.gpus().size()];
    for (int gpu = 0; gpu < free.length; gpu++) {
      sequences.add(new ArrayList<>());
    }
  }

  boolean isFree(int gpu, double now) {
    return free[gpu] <= now;
  }

  /** Returns the free GPUs of lowest number, as many as there are, at most {@code most}. */
  List<Integer> firstFree(int most, double now) {
    return free(now).limit(most).boxed().toList();
  }

  /** Returns the free GPUs on which tasks compute fastest; of equal ones the first. */
  List<Integer> fastestFree(TaskTime[] times, int most, double now) {
    return free(now)
        .boxed()
        .sorted(Comparator.comparingDouble(gpu -> times[gpu].compute()))
        .limit(most)
        .toList();
  }

  private IntStream free(double now) {
    return IntStream.range(0, free.length).filter(gpu -> isFree(gpu, now));
  }

  /** Returns when a GPU is free. */
  double freeAt(int gpu) {
    return free[gpu];
  }

  /** Returns the first time after {@code now} at which a GPU becomes free; infinity if none. */
  double nextFree(double now) {
    double next = Double.POSITIVE_INFINITY;
    for (double at : free) {
      next = at > now ? Math.min(next, at) : next;
    }
    return next;
  }

  /**
   * Starts a job; task {@code i} of a round goes on the {@code i}th GPU, beginning again behind the
   * last one. A round begins when the one before has synchronized everywhere.
   */
  void start(RoundJob job, List<Integer> gpus, double now) {
    double barrier = now;
    for (int round = 0; round < job.rounds(); round++) {
      barrier = startRound(job, round, gpus, barrier);
    }
  }

  /**
   * Starts one round of a job on GPUs that it holds until all its tasks have synchronized, and
   * returns when that is.
   */
  double startRound(RoundJob job, int round, List<Integer> gpus, double now) {
    double barrier = runRound(job, round, gpus, now);
    for (int gpu : gpus) {
      free[gpu] = barrier;
    }
    ends.put(job.id(), barrier);
    return barrier;
  }

  private double runRound(RoundJob job, int round, List<Integer> gpus, double barrier) {
    double last = barrier;
    double[] next = new double[gpus.size()];
    Arrays.fill(next, barrier);
    for (int task = 0; task < job.scale(); task++) {
      int at = task % next.length;
      int gpu = gpus.get(at);
      TaskTime time = Objects.requireNonNull(job.times().get(problem.gpus().get(gpu)));
      RoundPlan.Run run = RoundPlan.Run.of(job, round, task, next[at], time);
      sequences.get(gpu).add(run);
      next[at] = run.end();
      last = Math.max(last, run.synchronizedAt());
    }
    return last;
  }

  RoundPlan plan() {
    Map<JobId, Double> inOrder = new LinkedHashMap<>();
    for (RoundJob job : problem.jobs()) {
      inOrder.put(job.id(), Objects.requireNonNull(ends.get(job.id())));
    }
    return new RoundPlan(sequences, Collections.unmodifiableMap(inOrder));
  }
}
