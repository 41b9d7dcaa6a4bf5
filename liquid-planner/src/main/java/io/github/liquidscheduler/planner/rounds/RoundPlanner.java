package io.github.liquidscheduler.planner.rounds;

import io.github.liquidscheduler.job.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives tasks their GPUs one after the other (Hare, HPDC'22, Algorithm 1), for jobs of which all is
 * known beforehand.
 *
 * @param order in which order
 * @param choice which GPUs
 */
public record RoundPlanner(TaskOrder order, GpuChoice choice) implements RoundAlgorithm {

  /** One round of one job, by positions. */
  private record Turn(int job, int round, double key) {

    static final Comparator<Turn> IN_ORDER =
        Comparator.comparingDouble(Turn::key)
            .thenComparingInt(Turn::round)
            .thenComparingInt(Turn::job);
  }

  @Override
  public RoundPlan plan(RoundProblem problem) {
    return new Planning(problem).plan();
  }

  private List<Turn> turns(RoundProblem problem) {
    double[][] keys = order.keys(problem);
    List<Turn> turns = new ArrayList<>();
    for (int job = 0; job < keys.length; job++) {
      for (int round = 0; round < keys[job].length; round++) {
        turns.add(new Turn(job, round, keys[job][round]));
      }
    }
    turns.sort(Turn.IN_ORDER);
    return turns;
  }

  /** A plan as far as it has come. */
  private final class Planning {

    private final RoundProblem problem;
    private final TaskTime[][] times;
    private final List<IdleGaps> idle = new ArrayList<>();
    private final List<List<RoundPlan.Run>> sequences = new ArrayList<>();

    /** When the last round planned of each job has synchronized. */
    private final double[] barriers;

    Planning(RoundProblem problem) {
      this.problem = problem;
      int jobs = problem.jobs().size();
      times = new TaskTime[jobs][];
      barriers = new double[jobs];
      for (int job = 0; job < jobs; job++) {
        times[job] = problem.times(job);
        barriers[job] = problem.jobs().get(job).arrival();
      }
      for (int gpu = 0; gpu < problem.gpus().size(); gpu++) {
        idle.add(new IdleGaps(shortestOn(gpu)));
        sequences.add(new ArrayList<>());
      }
    }

    private double shortestOn(int gpu) {
      double shortest = Double.POSITIVE_INFINITY;
      for (TaskTime[] of : times) {
        shortest = Math.min(shortest, of[gpu].compute());
      }
      return shortest;
    }

    RoundPlan plan() {
      turns(problem).forEach(this::plan);
      sequences.forEach(runs -> runs.sort(Comparator.comparingDouble(RoundPlan.Run::start)));
      Map<JobId, Double> ends = new LinkedHashMap<>();
      for (int job = 0; job < barriers.length; job++) {
        ends.put(problem.jobs().get(job).id(), barriers[job]);
      }
      return new RoundPlan(sequences, Collections.unmodifiableMap(ends));
    }

    private void plan(Turn turn) {
      RoundJob job = problem.jobs().get(turn.job());
      double barrier = barriers[turn.job()];
      double last = barrier;
      for (int task = 0; task < job.scale(); task++) {
        int gpu = gpu(times[turn.job()], barrier);
        TaskTime time = times[turn.job()][gpu];
        double start = start(gpu, time, barrier, Double.POSITIVE_INFINITY);
        double end = start + time.compute();
        idle.get(gpu).take(start, end);
        last = Math.max(last, end + time.synchronize());
        sequences
            .get(gpu)
            .add(
                new RoundPlan.Run(
                    job.id(), turn.round(), task, start, end, end + time.synchronize()));
      }
      barriers[turn.job()] = last;
    }

    /** Returns when a task starts on a GPU; infinity may stand for an end after {@code latest}. */
    private double start(int gpu, TaskTime time, double from, double latest) {
      return choice == GpuChoice.FIRST_GAP
          ? idle.get(gpu).firstFit(from, time.compute(), latest)
          : Math.max(from, idle.get(gpu).available());
    }

    /** Returns the GPU that is chosen; of equally good ones the fastest, then the first. */
    private int gpu(TaskTime[] of, double from) {
      int best = 0;
      double bestScore = Double.POSITIVE_INFINITY;
      for (int gpu = 0; gpu < of.length; gpu++) {
        double score = score(gpu, of[gpu], from, bestScore);
        boolean isFaster =
            choice != GpuChoice.EARLIEST_AVAILABLE && of[gpu].compute() < of[best].compute();
        if (score < bestScore || (score == bestScore && isFaster)) {
          best = gpu;
          bestScore = score;
        }
      }
      return best;
    }

    private double score(int gpu, TaskTime time, double from, double best) {
      return switch (choice) {
        case EARLIEST_AVAILABLE -> idle.get(gpu).available();
        case EARLIEST_START -> start(gpu, time, from, best);
        case EARLIEST_FINISH, FIRST_GAP -> start(gpu, time, from, best) + time.compute();
      };
    }
  }
}
