package io.github.liquidscheduler.simulator.rounds.baseline;

import io.github.liquidscheduler.rounds.planner.RoundAlgorithm;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Gangs that may be pre-empted between rounds, the least attained service first: as Tiresias (Gu et
 * al., NSDI 2019) orders them, who counts service in GPUs times wall-clock time, in classes, and
 * jobs of a class by arrival. Whenever GPUs become free or a job arrives, each job between two
 * rounds, in this order, takes the fastest free GPUs for its next round, if there are enough.
 */
public final class GangLasPlanner implements RoundAlgorithm {

  private final double[] thresholds;
  private final boolean bypasses;

  private GangLasPlanner(boolean bypasses, double... thresholds) {
    this.thresholds = thresholds;
    this.bypasses = bypasses;
  }

  /** Returns one whose classes end at these GPU seconds, which rise. */
  public static GangLasPlanner of(double... thresholds) {
    return new GangLasPlanner(true, thresholds.clone());
  }

  /** Returns one in which no job starts before one for which too few GPUs are free. */
  public static GangLasPlanner withoutBypass(double... thresholds) {
    return new GangLasPlanner(false, thresholds.clone());
  }

  private static final class Waiting {
    final int position;
    final RoundJob job;
    double ready;
    double attained;
    int round;

    Waiting(int position, RoundJob job) {
      this.position = position;
      this.job = job;
      ready = job.arrival();
    }
  }

  private int level(Waiting waiting) {
    int level = 0;
    while (level < thresholds.length && thresholds[level] <= waiting.attained) {
      level++;
    }
    return level;
  }

  /**
   * Returns the plan.
   *
   * @throws IllegalArgumentException if a round of a job has more tasks than there are GPUs
   */
  @Override
  public RoundPlan plan(RoundProblem problem) {
    GangPlanner.requireFits(problem);
    JobRuns runs = new JobRuns(problem);
    List<Waiting> waiting = new ArrayList<>();
    for (int job = 0; job < problem.jobs().size(); job++) {
      waiting.add(new Waiting(job, problem.jobs().get(job)));
    }
    double now = 0;
    while (!waiting.isEmpty()) {
      startRounds(problem, runs, waiting, now);
      waiting.removeIf(job -> job.round == job.job.rounds());
      now = Math.min(runs.nextFree(now), nextReady(waiting, now));
    }
    return runs.plan();
  }

  private void startRounds(RoundProblem problem, JobRuns runs, List<Waiting> waiting, double now) {
    waiting.sort(
        Comparator.<Waiting>comparingInt(this::level)
            .thenComparingDouble(job -> job.job.arrival())
            .thenComparingInt(job -> job.position));
    for (Waiting next : waiting) {
      if (next.ready <= now) {
        List<Integer> gpus = runs.fastestFree(problem.times(next.position), next.job.scale(), now);
        if (gpus.size() == next.job.scale()) {
          next.ready = runs.startRound(next.job, next.round, gpus, now);
          next.attained += next.job.scale() * (next.ready - now);
          next.round++;
        } else if (!bypasses) {
          return;
        }
      }
    }
  }

  private static double nextReady(List<Waiting> waiting, double now) {
    return waiting.stream()
        .mapToDouble(job -> job.ready)
        .filter(ready -> ready > now)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
