package io.github.liquidscheduler.rounds.planner;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Finds where the tasks of a round go so that jobs are delayed least, all together: its own job by
 * when the round ends, all others by the GPU time that its tasks take. A round ends with its last
 * task, so the others may take slower GPUs for nothing; and it may pay to end later on GPUs that
 * nobody else would use well.
 *
 * <p>The GPUs of a model are alike, so of each model only as many slots count as there are tasks:
 * those that end first. For each end of the round that is possible, the cheapest slots are taken
 * that end by then. Costs {@code O(gpus × log gaps + tasks × models²)}. Mutable: holds what was
 * found last.
 */
final class LeastDelay {

  private final IdleGaps[] idle;

  private final int[][] models;

  /** The slots of each model that end first, in order: their GPUs and starts. */
  private final int[][] gpus;

  private final double[][] starts;
  private final int[] slots;

  /** How many slots of each model end soon enough, and how many are taken. */
  private final int[] inTime;

  private final int[] taken;
  private final int[] best;
  private final double[] costs;

  LeastDelay(RoundProblem problem, IdleGaps[] idle) {
    this.idle = idle;
    Map<Object, int[]> byModel = new LinkedHashMap<>();
    for (Object model : problem.gpus()) {
      byModel.computeIfAbsent(model, each -> gpusOf(problem.gpus(), each));
    }
    models = byModel.values().toArray(int[][]::new);
    int most = problem.jobs().stream().mapToInt(RoundJob::scale).max().orElse(0);
    gpus = new int[models.length][most];
    starts = new double[models.length][most];
    slots = new int[models.length];
    inTime = new int[models.length];
    taken = new int[models.length];
    best = new int[models.length];
    costs = new double[models.length];
  }

  private static int[] gpusOf(List<?> all, Object model) {
    return IntStream.range(0, all.size()).filter(gpu -> all.get(gpu).equals(model)).toArray();
  }

  /** What a round needs. */
  @SuppressWarnings("ArrayRecordComponent") // the kernel of a search; never leaves the package
  record Round(int tasks, double from, double weight, double[] compute, TaskTime[] times) {}

  /** Looks for the slots of a round. */
  void find(Round round, GpuPrices prices) {
    double waiting = prices.waiting(round.from());
    for (int model = 0; model < models.length; model++) {
      findSlots(model, round);
      int gpu = models[model][0];
      costs[model] = prices.perSecond(gpu, waiting) * round.compute()[gpu];
    }
    choose(round);
  }

  private void findSlots(int model, Round round) {
    double length = round.compute()[models[model][0]];
    slots[model] = 0;
    for (int gpu : models[model]) {
      double from = round.from();
      boolean isNeeded = true;
      for (int task = 0; task < round.tasks() && isNeeded; task++) {
        double start = idle[gpu].firstFit(from, length, latest(model, round.tasks(), length));
        isNeeded = start < Double.POSITIVE_INFINITY && insert(model, gpu, start, round.tasks());
        from = start + length;
      }
    }
  }

  private double latest(int model, int tasks, double length) {
    return slots[model] < tasks ? Double.POSITIVE_INFINITY : starts[model][tasks - 1] + length;
  }

  /** Inserts a slot behind all that start no later; returns whether it is one of the first. */
  private boolean insert(int model, int gpu, double start, int tasks) {
    int at = slots[model];
    while (at > 0 && starts[model][at - 1] > start) {
      at--;
    }
    if (at == tasks) {
      return false;
    }
    int moved = Math.min(slots[model], tasks - 1) - at;
    System.arraycopy(starts[model], at, starts[model], at + 1, moved);
    System.arraycopy(gpus[model], at, gpus[model], at + 1, moved);
    starts[model][at] = start;
    gpus[model][at] = gpu;
    slots[model] = Math.min(slots[model] + 1, tasks);
    return true;
  }

  /** Tries all ends of the round at which a slot ends. */
  private void choose(Round round) {
    Arrays.fill(inTime, 0);
    double least = Double.POSITIVE_INFINITY;
    int found = 0;
    int next = nextToEnd(round);
    while (next >= 0) {
      double delay = round.weight() * (end(next, inTime[next], round) - round.from());
      if (delay >= least) {
        return;
      }
      inTime[next]++;
      found++;
      if (found >= round.tasks()) {
        double value = delay + takeCheapest(round.tasks());
        if (value < least) {
          least = value;
          System.arraycopy(taken, 0, best, 0, best.length);
        }
      }
      next = nextToEnd(round);
    }
  }

  /** Returns the model whose next slot has synchronized first, of equal ones the fastest; or -1. */
  private int nextToEnd(Round round) {
    int first = -1;
    double end = Double.POSITIVE_INFINITY;
    for (int model = 0; model < models.length; model++) {
      if (inTime[model] < slots[model]) {
        double here = end(model, inTime[model], round);
        boolean isFaster =
            first >= 0 && round.compute()[models[model][0]] < round.compute()[models[first][0]];
        if (here < end || (here == end && isFaster)) {
          first = model;
          end = here;
        }
      }
    }
    return first;
  }

  private double end(int model, int slot, Round round) {
    return starts[model][slot] + round.times()[models[model][0]].whole();
  }

  /** Takes the cheapest slots that end in time, and returns what they cost. */
  private double takeCheapest(int tasks) {
    Arrays.fill(taken, 0);
    double cost = 0;
    int left = tasks;
    while (left > 0) {
      int cheapest = -1;
      for (int model = 0; model < models.length; model++) {
        boolean isLeft = taken[model] == 0 && inTime[model] > 0;
        if (isLeft && (cheapest < 0 || costs[model] < costs[cheapest])) {
          cheapest = model;
        }
      }
      taken[cheapest] = Math.min(left, inTime[cheapest]);
      cost += taken[cheapest] * costs[cheapest];
      left -= taken[cheapest];
    }
    return cost;
  }

  /** Is told a slot. */
  @FunctionalInterface
  interface Slots {
    void add(int gpu, double start);
  }

  /** Tells the slots found. */
  void forEach(Slots consumer) {
    for (int model = 0; model < models.length; model++) {
      for (int slot = 0; slot < best[model]; slot++) {
        consumer.add(gpus[model][slot], starts[model][slot]);
      }
    }
  }
}
