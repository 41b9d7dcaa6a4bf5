package io.github.liquidscheduler.rounds.planner;

import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;

/**
 * Improves the order of rounds, and where their tasks go, by random small changes.
 *
 * <p>A candidate is a key for each round, by which rounds are sorted, and a GPU for some of the
 * tasks; the others go where the choice of GPUs wants them. It is judged by the plan that comes of
 * it. A change moves the rounds of a job from one on, spreads them more or less, from their first
 * or to their last, exchanges two rounds, or sends a task to a GPU; the first changes spread the
 * rounds of all jobs, and make all GPU time cheaper or dearer. A change stays if the plan is no
 * worse. Where that no longer gains it begins again near the best, half of the times with the
 * prices that follow from it. The best plan of all is the result, so it is never worse than the
 * first. Each step costs one plan. Rejected: late acceptance, which is up to a half of a percent
 * worse in as many steps.
 *
 * @param start the planner whose plan is improved
 * @param steps the number of changes tried, at least 0; if empty, 1,000 but on large problems: no
 *     more than look at 10 million GPUs for tasks
 * @param seed what the changes are drawn from
 */
public record LocalSearch(RoundPlanner start, OptionalInt steps, long seed)
    implements RoundAlgorithm {

  /** After how many steps without gain, for each job, it begins again near the best. */
  private static final int PATIENCE = 12;

  /** By how much the rounds of all jobs are spread in the first steps. */
  private static final double[] FIRST_SPREADS = {1.25, 1.25, 0.8, 0.8};

  /** By how much prices rise in the steps behind. */
  private static final double[] FIRST_PRICES = {0.75, 1.33};

  private static final int DEFAULT_STEPS = 1000;
  private static final long DEFAULT_LOOKS = 10_000_000;

  /**
   * Checks the number of steps.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public LocalSearch {
    Objects.requireNonNull(start, "start");
    if (steps.isPresent() && steps.getAsInt() < 0) {
      throw new IllegalArgumentException("steps must be at least 0, but were " + steps.getAsInt());
    }
  }

  /** Makes a search of this number of steps, at least 0. */
  public LocalSearch(RoundPlanner start, int steps, long seed) {
    this(start, OptionalInt.of(steps), seed);
  }

  @Override
  public RoundPlan plan(RoundProblem problem) {
    ListSchedule schedule = new ListSchedule(problem, start.choice());
    double[][] keys = start.order().keys(problem);
    schedule.planAll(RoundPlanner.sorted(keys));
    int most = problem.jobs().isEmpty() ? 0 : steps.orElse(affordable(problem));
    if (most > 0) {
      Climb climb =
          new Climb(schedule, new Random(seed), Candidate.first(problem, keys, schedule.prices()));
      for (int step = 0; step < most; step++) {
        climb.step(step);
      }
      climb.best.cost(schedule);
    }
    return schedule.plan();
  }

  private static int affordable(RoundProblem problem) {
    long tasks = problem.jobs().stream().mapToLong(RoundJob::tasks).sum();
    return (int)
        Math.min(DEFAULT_STEPS, DEFAULT_LOOKS / Math.max(1, tasks * problem.gpus().size()));
  }

  private static final class Climb {

    private final ListSchedule schedule;
    private final Random random;
    private Candidate current;
    private double cost;
    private Candidate best;
    private double bestCost;

    private int gained;

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
      gained = step;
    }

    void step(int step) {
      if (step < FIRST_SPREADS.length) {
        change(current.spread(FIRST_SPREADS[step]), step);
      } else if (step < FIRST_SPREADS.length + FIRST_PRICES.length) {
        change(current.priced(FIRST_PRICES[step - FIRST_SPREADS.length]), step);
      } else if (step - gained > PATIENCE * current.keys.length) {
        best.cost(schedule);
        Candidate priced = random.nextBoolean() ? best : best.priced(schedule.pricesNow());
        begin(priced.changed(random).changed(random).changed(random), step);
      } else {
        change(current.changed(random), step);
      }
      if (cost < bestCost) {
        best = current;
        bestCost = cost;
      }
    }

    private void change(Candidate next, int step) {
      double nextCost = next.cost(schedule);
      gained = nextCost < cost ? step : gained;
      if (nextCost <= cost) {
        current = next;
        cost = nextCost;
      }
    }
  }

  /** The keys of rounds, and the GPUs of tasks. Never changed. */
  private static final class Candidate {

    /** How much more, or less, rounds are spread at most: as a power of e. */
    private static final double MOST_SPREAD = 0.75;

    /** Distances are powers of what is drawn evenly, so most are near. */
    private static final double NEARNESS = 3;

    private final double[][] keys;
    private final int[] gpus;
    private final GpuPrices prices;
    private final int fleet;

    /** How far rounds are moved at most, in seconds. */
    private final double reach;

    private Candidate(double[][] keys, int[] gpus, GpuPrices prices, int fleet, double reach) {
      this.keys = keys;
      this.gpus = gpus;
      this.prices = prices;
      this.fleet = fleet;
      this.reach = reach;
    }

    static Candidate first(RoundProblem problem, double[][] keys, GpuPrices prices) {
      int[] gpus = new int[problem.jobs().stream().mapToInt(RoundJob::tasks).sum()];
      Arrays.fill(gpus, ListSchedule.ANY_GPU);
      double last = Arrays.stream(keys).mapToDouble(of -> of[of.length - 1]).max().orElseThrow();
      return new Candidate(keys, gpus, prices, problem.gpus().size(), last);
    }

    double cost(ListSchedule schedule) {
      schedule.setPrices(prices);
      schedule.planInOrder(RoundPlanner.sorted(keys), gpus);
      return schedule.weightedEnd();
    }

    Candidate changed(Random random) {
      int job = random.nextInt(keys.length);
      double[] of = keys[job];
      return switch (random.nextInt(5)) {
        case 0 -> with(job, moved(of, random));
        case 1 -> with(job, spread(of, of[0], factor(random)));
        case 2 -> with(job, spread(of, of[of.length - 1], factor(random)));
        case 3 -> exchanged(random);
        default -> new Candidate(keys, sent(random), prices, fleet, reach);
      };
    }

    private Candidate with(int job, double[] changed) {
      double[][] others = keys.clone();
      others[job] = changed;
      return new Candidate(others, gpus, prices, fleet, reach);
    }

    /** The rounds of a job from one on, or all, come as much earlier or later; mostly not much. */
    private double[] moved(double[] of, Random random) {
      double part = Math.pow(random.nextDouble(), NEARNESS);
      double by = (random.nextBoolean() ? part : -part) * reach;
      int first = random.nextBoolean() ? 0 : random.nextInt(of.length);
      double[] moved = of.clone();
      for (int round = first; round < moved.length; round++) {
        moved[round] += by;
      }
      return moved;
    }

    /** Two rounds, mostly of two jobs, exchange their turns. */
    private Candidate exchanged(Random random) {
      double[][] others = keys.clone();
      int one = random.nextInt(keys.length);
      int other = random.nextInt(keys.length);
      others[one] = keys[one].clone();
      others[other] = one == other ? others[one] : keys[other].clone();
      int ofOne = random.nextInt(keys[one].length);
      int ofOther = random.nextInt(keys[other].length);
      double key = others[one][ofOne];
      others[one][ofOne] = others[other][ofOther];
      others[other][ofOther] = key;
      return new Candidate(others, gpus, prices, fleet, reach);
    }

    private static double factor(Random random) {
      return Math.exp((2 * random.nextDouble() - 1) * MOST_SPREAD);
    }

    /** The rounds of each job follow each other after more or less time. */
    Candidate spread(double factor) {
      double[][] spread = new double[keys.length][];
      for (int job = 0; job < keys.length; job++) {
        spread[job] = spread(keys[job], keys[job][0], factor);
      }
      return new Candidate(spread, gpus, prices, fleet, reach);
    }

    Candidate priced(double factor) {
      return new Candidate(keys, gpus, prices.times(factor), fleet, reach);
    }

    Candidate priced(GpuPrices other) {
      return new Candidate(keys, gpus, other, fleet, reach);
    }

    private static double[] spread(double[] of, double from, double factor) {
      return Arrays.stream(of).map(key -> from + (key - from) * factor).toArray();
    }

    private int[] sent(Random random) {
      int[] sent = gpus.clone();
      int task = random.nextInt(sent.length);
      sent[task] = random.nextInt(fleet + 1) - 1;
      return sent;
    }
  }
}
