package io.github.liquidscheduler.lab.reference.gavel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Our own: of all ways to give the jobs GPUs, the one whose jobs are worth the most. A job is worth
 * its speed relative to the GPU model on which it is fastest. So a fast GPU goes to those that lose
 * most without it, and not to those that would merely be fastest there.
 *
 * <p>If remaining work is known, that is divided by a power of the time it would take on the
 * fastest GPU model. (Divided by that time itself, as Smith's rule has it for one machine, short
 * jobs take GPUs from those that lose more without them.) And a job that finishes within the round
 * has no use for speed beyond that: it counts by how much sooner it ends than if it waited for the
 * next round. If it is not known, a job is worth a tenth more for each hour that it has done, so
 * that equal jobs finish one after the other.
 *
 * <p>If pairs may share GPUs, a pair is worth what both are at the speed that they retain. Pairs
 * are matched at prices of the GPUs, and the prices are what a GPU more would add. Both are found
 * in turn, from prices without pairs, pairs at the mean of all prices so far: so prices settle, as
 * in fictitious play (Brown, 1951). The best is kept.
 *
 * <p>Who runs is decided for each round.
 */
final class ComparativeAdvantage implements GavelRounds {

  private static final double POWER = 0.3;
  private static final double PER_HOUR_DONE = 0.1;
  private static final double HOUR = 3600;
  private static final int MOST_MATCHINGS = 8;

  private final boolean knowsRemaining;
  private final int[] gpus;
  private final @Nullable BiFunction<GavelJob, GavelJob, Combination> pairing;
  private final List<Combination> alone = new ArrayList<>();
  private final List<Combination> pairs = new ArrayList<>();

  /**
   * Makes it.
   *
   * @param knowsRemaining whether it knows how many steps each job has left
   * @param pairing how fast two jobs of one GPU are on the same; null if no jobs share GPUs
   */
  ComparativeAdvantage(
      boolean knowsRemaining,
      int[] gpus,
      @Nullable BiFunction<GavelJob, GavelJob, Combination> pairing) {
    this.knowsRemaining = knowsRemaining;
    this.gpus = gpus;
    this.pairing = pairing;
  }

  @Override
  public void arrived(GavelJob job) {
    if (pairing != null && job.gpus() == 1) {
      for (Combination other : alone) {
        if (other.gpus() == 1) {
          pairs.add(pairing.apply(other.first(), job));
        }
      }
    }
    alone.add(Combination.of(job));
  }

  @Override
  public void left(GavelJob job) {
    alone.removeIf(combination -> combination.first().equals(job));
    pairs.removeIf(pair -> pair.jobs().contains(job));
  }

  @Override
  public void received(Combination combination, int model, double seconds) {
    // Only how far a job is counts, and that it knows itself.
  }

  @Override
  public void stuck() {
    // It decides for each round anyway.
  }

  @Override
  public List<SelectedRun> next(double now) {
    return GangKnapsack.isSolvable(gpus) ? best() : relaxed();
  }

  private List<SelectedRun> relaxed() {
    double[][] worth = new double[alone.size()][gpus.length];
    for (int job = 0; job < worth.length; job++) {
      for (int model = 0; model < gpus.length; model++) {
        worth[job][model] = worth(alone.get(job), model);
      }
    }
    return RelaxedKnapsack.best(alone, worth, gpus);
  }

  private List<SelectedRun> best() {
    GangKnapsack best = GangKnapsack.solve(items(List.of()), gpus);
    double[] prices = prices(best);
    for (int matchings = 1; matchings <= MOST_MATCHINGS; matchings++) {
      GangKnapsack paired = GangKnapsack.solve(items(matched(prices)), gpus);
      best = paired.worth() > best.worth() ? paired : best;
      double[] latest = prices(paired);
      for (int model = 0; model < prices.length; model++) {
        prices[model] += (latest[model] - prices[model]) / (matchings + 1);
      }
    }
    return best.runs();
  }

  private double[] prices(GangKnapsack solved) {
    double[] prices = new double[gpus.length];
    for (int model = 0; model < prices.length; model++) {
      prices[model] = solved.price(model);
    }
    return prices;
  }

  private List<Combination> matched(double[] prices) {
    double[] gains = new double[pairs.size()];
    for (int i = 0; i < gains.length; i++) {
      Combination pair = pairs.get(i);
      gains[i] = profit(pair, prices);
      for (GavelJob job : pair.jobs()) {
        gains[i] -= profit(Combination.of(job), prices);
      }
    }
    return PairMatching.best(pairs, gains);
  }

  /** Returns the most that it is worth more than its GPUs; 0 if nowhere. */
  private double profit(Combination combination, double[] prices) {
    double most = 0;
    for (int model = 0; model < gpus.length; model++) {
      double profit = worth(combination, model) - combination.gpus() * prices[model];
      most = Math.max(most, profit);
    }
    return most;
  }

  /** Returns the offers to each job, or to two that may share a GPU. */
  private List<List<GangKnapsack.Offer>> items(List<Combination> matched) {
    List<List<GangKnapsack.Offer>> items = new ArrayList<>();
    List<GavelJob> inPairs = matched.stream().flatMap(pair -> pair.jobs().stream()).toList();
    for (Combination job : alone) {
      if (!inPairs.contains(job.first())) {
        items.add(offers(job));
      }
    }
    for (Combination pair : matched) {
      items.add(offersToTwo(pair));
    }
    return items;
  }

  private List<GangKnapsack.Offer> offers(Combination combination) {
    List<GangKnapsack.Offer> offers = new ArrayList<>();
    for (int model = 0; model < gpus.length; model++) {
      double worth = worth(combination, model);
      if (worth > 0) {
        offers.add(
            new GangKnapsack.Offer(
                List.of(new SelectedRun(combination, model)), worth, gpus.length));
      }
    }
    return offers;
  }

  private List<GangKnapsack.Offer> offersToTwo(Combination pair) {
    List<GangKnapsack.Offer> offers = new ArrayList<>(offers(pair));
    List<GangKnapsack.Offer> first = offers(Combination.of(pair.jobs().get(0)));
    List<GangKnapsack.Offer> second = offers(Combination.of(pair.jobs().get(1)));
    offers.addAll(first);
    offers.addAll(second);
    for (GangKnapsack.Offer one : first) {
      for (GangKnapsack.Offer other : second) {
        List<SelectedRun> both = new ArrayList<>(one.runs());
        both.addAll(other.runs());
        offers.add(new GangKnapsack.Offer(both, one.worth() + other.worth(), gpus.length));
      }
    }
    return offers;
  }

  private double worth(Combination combination, int model) {
    double sum = 0;
    if (combination.runsOn(model)) {
      for (int i = 0; i < combination.jobs().size(); i++) {
        GavelJob job = combination.jobs().get(i);
        sum += weight(job) * gain(job, combination.speed(i, model));
      }
    }
    return sum;
  }

  /**
   * Returns by how much sooner a job ends if it runs for this round, in rounds: what it does there,
   * in time on its fastest GPU model. If it ends within the round, the wait for the next is saved.
   */
  private double gain(GavelJob job, double speed) {
    double finish = job.remaining() / speed;
    return knowsRemaining && finish <= RoundLoop.ROUND
        ? 1 - (finish - job.remaining() / job.fastest()) / RoundLoop.ROUND
        : speed / job.fastest();
  }

  private double weight(GavelJob job) {
    return knowsRemaining
        ? Math.pow(job.remaining() / job.fastest(), -POWER)
        : 1 + PER_HOUR_DONE * job.done() / job.fastest() / HOUR;
  }
}
