package io.github.liquidscheduler.planner.rounds;

import java.util.Arrays;
import java.util.Random;

/**
 * Improves the order of rounds, and where their tasks go, by random small changes.
 *
 * <p>A candidate is an order of rounds and a GPU for some of the tasks; the others go where the
 * choice of GPUs wants them. It is judged by the plan that comes of it. A change moves one round,
 * swaps two, moves all rounds of a job, or sends a task to a GPU. Late acceptance (Burke and Bykov,
 * EJOR 258(1), 2017): a change stays if the plan is no worse than the one a fixed number of steps
 * ago. Where it no longer gains it begins again near the best. The best plan of all is the result,
 * so it is never worse than the first. Each step costs one plan.
 *
 * @param start the planner whose plan is improved
 * @param steps the number of changes tried, at least 0
 * @param seed what the changes are drawn from
 */
public record LocalSearch(RoundPlanner start, int steps, long seed) implements RoundAlgorithm {

  /** How many steps late acceptance looks back: few, as most changes make a plan worse. */
  private static final int MEMORY = 5;

  /** After how many steps without gain it begins again near the best. */
  private static final int PATIENCE = 50;

  /**
   * Checks the number of steps.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public LocalSearch {
    if (steps < 0) {
      throw new IllegalArgumentException("steps must be at least 0, but were " + steps);
    }
  }

  @Override
  public RoundPlan plan(RoundProblem problem) {
    ListSchedule schedule = new ListSchedule(problem, start.choice());
    Climb climb = new Climb(schedule, new Random(seed), first(problem));
    for (int step = 0; step < steps && !problem.jobs().isEmpty(); step++) {
      climb.step(step);
    }
    climb.best.cost(schedule);
    return schedule.plan();
  }

  private Candidate first(RoundProblem problem) {
    return new Candidate(start.roundOrder(problem), anyGpus(problem), problem.gpus().size());
  }

  private static int[] anyGpus(RoundProblem problem) {
    int[] gpus = new int[problem.jobs().stream().mapToInt(RoundJob::tasks).sum()];
    Arrays.fill(gpus, ListSchedule.ANY_GPU);
    return gpus;
  }

  /** Where the search is. */
  private static final class Climb {

    private final ListSchedule schedule;
    private final Random random;
    private final double[] costs = new double[MEMORY];
    private Candidate current;
    private double cost;
    private Candidate best;
    private double bestCost;

    /** The least cost since the last jump, and the step at which it was found. */
    private double least;

    private int leastAt;

    Climb(ListSchedule schedule, Random random, Candidate first) {
      this.schedule = schedule;
      this.random = random;
      current = first;
      best = first;
      begin(first, 0);
      bestCost = cost;
    }

    private void begin(Candidate candidate, int step) {
      current = candidate;
      cost = candidate.cost(schedule);
      least = cost;
      leastAt = step;
      Arrays.fill(costs, cost);
    }

    void step(int step) {
      if (step - leastAt > PATIENCE) {
        begin(best.changed(random).changed(random).changed(random), step);
      } else {
        change(step);
      }
      if (cost < bestCost) {
        best = current;
        bestCost = cost;
      }
    }

    private void change(int step) {
      Candidate next = current.changed(random);
      double nextCost = next.cost(schedule);
      if (nextCost <= costs[step % MEMORY] || nextCost <= cost) {
        current = next;
        cost = nextCost;
      }
      if (cost < least) {
        least = cost;
        leastAt = step;
      }
      costs[step % MEMORY] = cost;
    }
  }

  /** The job of each round in order, and the GPUs of tasks. Never changed. */
  private static final class Candidate {

    private final int[] jobs;
    private final int[] gpus;
    private final int fleet;

    Candidate(int[] jobs, int[] gpus, int fleet) {
      this.jobs = jobs;
      this.gpus = gpus;
      this.fleet = fleet;
    }

    double cost(ListSchedule schedule) {
      schedule.clear();
      for (int job : jobs) {
        schedule.planRound(job, gpus);
      }
      return schedule.weightedEnd();
    }

    Candidate changed(Random random) {
      return switch (random.nextInt(4)) {
        case 0 -> new Candidate(roundMoved(random), gpus, fleet);
        case 1 -> new Candidate(swapped(random), gpus, fleet);
        case 2 -> new Candidate(jobMoved(random), gpus, fleet);
        default -> new Candidate(jobs, sent(random), fleet);
      };
    }

    private int[] roundMoved(Random random) {
      int[] moved = jobs.clone();
      int from = random.nextInt(moved.length);
      int to = Math.clamp(from + distance(random), 0, moved.length - 1);
      int job = moved[from];
      if (from < to) {
        System.arraycopy(moved, from + 1, moved, from, to - from);
      } else {
        System.arraycopy(moved, to, moved, to + 1, from - to);
      }
      moved[to] = job;
      return moved;
    }

    private int[] swapped(Random random) {
      int[] swapped = jobs.clone();
      int one = random.nextInt(swapped.length);
      int other = Math.clamp(one + distance(random), 0, swapped.length - 1);
      swapped[one] = jobs[other];
      swapped[other] = jobs[one];
      return swapped;
    }

    /** All rounds of a job come as much earlier or later. */
    private int[] jobMoved(Random random) {
      int job = jobs[random.nextInt(jobs.length)];
      int by = distance(random);
      int[] moved = new int[jobs.length];
      Arrays.fill(moved, -1);
      int last = -1;
      int left = (int) Arrays.stream(jobs).filter(other -> other == job).count();
      for (int at = 0; at < jobs.length; at++) {
        if (jobs[at] == job) {
          last = Math.min(jobs.length - left, Math.max(last + 1, at + by));
          moved[last] = job;
          left--;
        }
      }
      int free = 0;
      for (int other : jobs) {
        if (other != job) {
          while (moved[free] != -1) {
            free++;
          }
          moved[free] = other;
        }
      }
      return moved;
    }

    /** Returns how far to move: mostly near, at most over all rounds. */
    private int distance(Random random) {
      double part = Math.pow(random.nextDouble(), 3);
      int distance = 1 + (int) (part * jobs.length);
      return random.nextBoolean() ? distance : -distance;
    }

    private int[] sent(Random random) {
      int[] sent = gpus.clone();
      int task = random.nextInt(sent.length);
      sent[task] = random.nextInt(fleet + 1) - 1;
      return sent;
    }
  }
}
