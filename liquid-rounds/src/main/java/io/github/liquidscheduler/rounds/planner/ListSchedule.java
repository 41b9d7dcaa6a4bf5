package io.github.liquidscheduler.rounds.planner;

import io.github.liquidscheduler.job.JobId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns GPUs and times to the tasks of one round after another. Mutable; {@link #clear} empties
 * it. Jobs, GPUs and tasks are named by their positions; tasks are numbered consecutively.
 */
final class ListSchedule {

  /** The task goes where the choice of GPUs wants it. */
  static final int ANY_GPU = -1;

  private final RoundProblem problem;
  private final GpuChoice choice;
  private final TaskTime[][] times;
  private final double[][] compute;
  private final int[] scales;
  private final int[] firstTasks;
  private final IdleGaps[] idle;
  private final double[] blockedUntil;
  private final LeastDelay leastDelay;
  private GpuPrices prices;

  private final int[] gpuOf;
  private final double[] startOf;

  private final int[] rounds;

  private final double[] barriers;

  /** How many tasks of each job's first round are not planned, and when they have synchronized. */
  private final int[] skipped;

  private final double[] skippedUntil;

  ListSchedule(RoundProblem problem, GpuChoice choice) {
    this.problem = problem;
    this.choice = choice;
    int jobs = problem.jobs().size();
    times = new TaskTime[jobs][];
    compute = new double[jobs][];
    scales = new int[jobs];
    firstTasks = new int[jobs + 1];
    for (int job = 0; job < jobs; job++) {
      times[job] = problem.times(job);
      compute[job] = Arrays.stream(times[job]).mapToDouble(TaskTime::compute).toArray();
      scales[job] = problem.jobs().get(job).scale();
      firstTasks[job + 1] = Math.addExact(firstTasks[job], problem.jobs().get(job).tasks());
    }
    idle = new IdleGaps[problem.gpus().size()];
    for (int gpu = 0; gpu < idle.length; gpu++) {
      idle[gpu] = new IdleGaps(shortestOn(gpu));
    }
    blockedUntil = new double[idle.length];
    leastDelay = new LeastDelay(problem, idle);
    prices = GpuPrices.free(idle.length);
    gpuOf = new int[tasks()];
    startOf = new double[tasks()];
    rounds = new int[jobs];
    barriers = new double[jobs];
    skipped = new int[jobs];
    skippedUntil = new double[jobs];
    clear();
  }

  private double shortestOn(int gpu) {
    double shortest = Double.POSITIVE_INFINITY;
    for (double[] of : compute) {
      shortest = Math.min(shortest, of[gpu]);
    }
    return shortest;
  }

  /** Forgets all that was planned, but not what is blocked or left out. */
  void clear() {
    for (int job = 0; job < barriers.length; job++) {
      barriers[job] = problem.jobs().get(job).arrival();
    }
    Arrays.fill(rounds, 0);
    for (int gpu = 0; gpu < idle.length; gpu++) {
      idle[gpu].begin(blockedUntil[gpu]);
    }
  }

  /** Lets a GPU that nothing was planned on begin at {@code from}. */
  void block(int gpu, double from) {
    blockedUntil[gpu] = from;
    idle[gpu].begin(from);
  }

  /**
   * Leaves out the first tasks of a job's first round, which have synchronized at {@code until}; at
   * least one is planned.
   */
  void skip(int job, int tasks, double until) {
    skipped[job] = tasks;
    skippedUntil[job] = until;
  }

  /** Returns the number of all tasks. */
  int tasks() {
    return firstTasks[firstTasks.length - 1];
  }

  /**
   * Plans all rounds, each of the next job in the order. Least delay plans without prices first,
   * then with those that follow, and keeps them if that is better.
   */
  void planAll(int[] order) {
    planInOrder(order, NONE_FORCED);
    if (choice == GpuChoice.LEAST_DELAY) {
      double free = weightedEnd();
      prices = pricesNow();
      planInOrder(order, NONE_FORCED);
      if (weightedEnd() > free) {
        prices = GpuPrices.free(idle.length);
        planInOrder(order, NONE_FORCED);
      }
    }
  }

  /** Returns the prices that there are. */
  GpuPrices prices() {
    return prices;
  }

  void setPrices(GpuPrices other) {
    prices = other;
  }

  /** Returns the prices that follow from what was planned. */
  GpuPrices pricesNow() {
    return GpuPrices.of(problem, barriers, compute);
  }

  /** Forgets what was planned and plans all rounds, with the prices that there are. */
  void planInOrder(int[] order, int[] forced) {
    clear();
    for (int job : order) {
      planRound(job, forced);
    }
  }

  private static final int[] NONE_FORCED = new int[0];

  /** Plans the next round of a job, its tasks on GPUs that are forced, or {@link #ANY_GPU}. */
  private void planRound(int job, int[] forced) {
    double barrier = barriers[job];
    barriers[job] = rounds[job] == 0 ? Math.max(barrier, skippedUntil[job]) : barrier;
    int first = firstTasks[job] + rounds[job] * scales[job];
    int skip = rounds[job] == 0 ? skipped[job] : 0;
    int together = 0;
    for (int task = first + skip; task < first + scales[job]; task++) {
      boolean isForced = forced.length > 0 && forced[task] != ANY_GPU;
      gpuOf[task] = isForced ? forced[task] : ANY_GPU;
      if (isForced || choice != GpuChoice.LEAST_DELAY) {
        int gpu = isForced ? forced[task] : gpu(job, barrier);
        give(job, task, gpu, start(gpu, compute[job][gpu], barrier, Double.POSITIVE_INFINITY));
      } else {
        together++;
      }
    }
    if (together > 0) {
      planTogether(job, first + skip, together, barrier);
    }
    rounds[job]++;
  }

  /** Plans the tasks from {@code first} on that have no GPU. */
  private void planTogether(int job, int first, int tasks, double barrier) {
    double weight = problem.jobs().get(job).weight();
    leastDelay.find(new LeastDelay.Round(tasks, barrier, weight, compute[job], times[job]), prices);
    int[] next = {first};
    leastDelay.forEach(
        (gpu, start) -> {
          while (gpuOf[next[0]] != ANY_GPU) {
            next[0]++;
          }
          give(job, next[0], gpu, start);
        });
  }

  private void give(int job, int task, int gpu, double start) {
    double end = start + compute[job][gpu];
    idle[gpu].take(start, end);
    gpuOf[task] = gpu;
    startOf[task] = start;
    barriers[job] = Math.max(barriers[job], end + times[job][gpu].synchronize());
  }

  /** Returns when a task starts on a GPU; infinity may stand for an end after {@code latest}. */
  private double start(int gpu, double length, double from, double latest) {
    return choice == GpuChoice.FIRST_GAP || choice == GpuChoice.LEAST_DELAY
        ? idle[gpu].firstFit(from, length, latest)
        : Math.max(from, idle[gpu].available());
  }

  /** Returns the GPU that is chosen; of equally good ones the fastest, then the first. */
  private int gpu(int job, double from) {
    double[] lengths = compute[job];
    int best = 0;
    double bestScore = Double.POSITIVE_INFINITY;
    for (int gpu = 0; gpu < lengths.length; gpu++) {
      double score = score(gpu, lengths[gpu], from, bestScore);
      boolean isFaster = choice != GpuChoice.EARLIEST_AVAILABLE && lengths[gpu] < lengths[best];
      if (score < bestScore || (score == bestScore && isFaster)) {
        best = gpu;
        bestScore = score;
      }
    }
    return best;
  }

  private double score(int gpu, double length, double from, double best) {
    return switch (choice) {
      case EARLIEST_AVAILABLE -> idle[gpu].available();
      case EARLIEST_START -> start(gpu, length, from, best);
      case EARLIEST_FINISH, FIRST_GAP, LEAST_DELAY -> start(gpu, length, from, best) + length;
    };
  }

  /** Returns the sum of weighted ends of the rounds planned, in seconds. */
  double weightedEnd() {
    double sum = 0;
    for (int job = 0; job < barriers.length; job++) {
      sum += problem.jobs().get(job).weight() * barriers[job];
    }
    return sum;
  }

  /** Returns what was planned; every round of every job must have been. */
  RoundPlan plan() {
    List<List<RoundPlan.Run>> sequences = new ArrayList<>();
    for (int gpu = 0; gpu < idle.length; gpu++) {
      sequences.add(new ArrayList<>());
    }
    Map<JobId, Double> ends = new LinkedHashMap<>();
    for (int job = 0; job < barriers.length; job++) {
      for (int task = firstTasks[job] + skipped[job]; task < firstTasks[job + 1]; task++) {
        sequences.get(gpuOf[task]).add(run(job, task));
      }
      ends.put(problem.jobs().get(job).id(), barriers[job]);
    }
    sequences.forEach(RoundPlan.Run::sortByStart);
    return new RoundPlan(sequences, Collections.unmodifiableMap(ends));
  }

  private RoundPlan.Run run(int job, int task) {
    int within = task - firstTasks[job];
    return RoundPlan.Run.of(
        problem.jobs().get(job),
        within / scales[job],
        within % scales[job],
        startOf[task],
        times[job][gpuOf[task]]);
  }
}
