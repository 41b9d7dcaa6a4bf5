package io.github.liquidscheduler.planner.bound;

import com.google.common.collect.LinkedHashMultiset;
import com.google.common.collect.Multiset;
import java.util.Arrays;
import java.util.List;

/**
 * A proved lower bound of what placing gangs costs when tasks of different jobs on a node cost the
 * product of their intensities, those that run there already included, and two tasks of a job on
 * different nodes cost its traffic at least.
 *
 * <p>The rule that each gang has exactly its tasks is relaxed by prices (Lagrange): then nodes no
 * longer depend on each other and each is solved exactly by a {@link NodeKnapsack}. Every set of
 * prices gives a bound; the volume algorithm (Barahona and Anbil, Mathematical Programming 87,
 * 2000) looks for prices that give a high one. The best there is equals the bound of the linear
 * programme over all ways to fill a node (Dantzig and Wolfe, 1960). Equal gangs have equal prices
 * and equal nodes are solved once, so the size of the cluster hardly matters.
 */
final class NodeBound {

  /** The search ends when a step promises less than this part of the bound. */
  private static final double SMALLEST_PROMISE = 1e-5;

  private static final double SMALLEST_WEIGHT = 0.01;
  private static final double LARGEST_WEIGHT = 0.1;

  /** More than what a few dozen roundings of doubles lose, as a part of the largest summand. */
  private static final double ROUNDING = 1e-13;

  private final TaskTypes types;
  private final Multiset<Node> nodes = LinkedHashMultiset.create();
  private final NodeKnapsack knapsack;
  private final double[] excess;
  private final double[] direction;
  private double[] prices;
  private double[] tried;
  private double bound;

  /**
   * Makes a bound.
   *
   * @param gangs what is placed; all of it
   * @param all the nodes, those without free GPUs included or not
   */
  NodeBound(List<TaskTypes.Member> gangs, List<Node> all) {
    types = TaskTypes.of(gangs);
    all.forEach(node -> nodes.add(node.inUnitsOf(types.unit())));
    knapsack = new NodeKnapsack(types, all.stream().mapToInt(Node::free).max().orElse(0));
    excess = new double[types.count()];
    direction = new double[types.count()];
    prices = new double[types.count()];
    tried = new double[types.count()];
  }

  /**
   * Returns a bound: no placement of all gangs costs less, if there is one.
   *
   * @param target what a known placement costs: the bound is looked for below it
   * @param evaluations how many sets of prices to try at most; more give a higher bound
   */
  double below(double target, int evaluations) {
    double square = (double) types.unit() * types.unit();
    bound = evaluate(prices);
    System.arraycopy(excess, 0, direction, 0, excess.length);
    climb(target / square, evaluations);
    return Math.max(0, bound * square);
  }

  private void climb(double target, int evaluations) {
    double step = 1;
    int fruitless = 0;
    for (int tries = 1; tries < evaluations; tries++) {
      double length = dot(direction, direction);
      double promise = step * (target * 1.02 - bound);
      if (length == 0 || !(promise > SMALLEST_PROMISE * Math.max(1, Math.abs(bound)))) {
        return;
      }
      for (int type = 0; type < prices.length; type++) {
        tried[type] = prices[type] + promise / length * direction[type];
      }
      double found = evaluate(tried);
      turn();
      if (found > bound) {
        bound = found;
        swapPrices();
        fruitless = 0;
        step = Math.min(step * 1.05, 2);
      } else if (++fruitless > 10) {
        fruitless = 0;
        step *= 0.7;
      }
    }
  }

  /** Returns the bound that these prices give, and leaves in {@code excess} what they miss by. */
  private double evaluate(double[] atPrices) {
    double sum = 0;
    double summands = 0;
    Arrays.fill(excess, 0);
    knapsack.price(atPrices);
    for (Multiset.Entry<Node> entry : nodes.entrySet()) {
      Node node = entry.getElement();
      int alike = entry.getCount();
      sum += alike * knapsack.cheapest(node.free(), node.resident(), excess, alike);
      summands += alike * node.free() * knapsack.largestSummand(node.resident());
    }
    for (int type = 0; type < excess.length; type++) {
      double tasks = types.tasks(type);
      double apart = types.traffic(type) * tasks / 2;
      sum += types.jobs(type) * tasks * (atPrices[type] + apart);
      summands += types.jobs(type) * tasks * (Math.abs(atPrices[type]) + apart);
      excess[type] = types.jobs(type) * tasks - excess[type];
    }
    return sum - ROUNDING * summands;
  }

  /** Mixes the last excess into the direction, as much as makes it shortest. */
  private void turn() {
    double across = 0;
    double apart = 0;
    for (int type = 0; type < direction.length; type++) {
      double difference = excess[type] - direction[type];
      across -= direction[type] * difference;
      apart += difference * difference;
    }
    double weight = apart == 0 ? 0 : across / apart;
    weight = Math.max(SMALLEST_WEIGHT, Math.min(weight, LARGEST_WEIGHT));
    for (int type = 0; type < direction.length; type++) {
      direction[type] += weight * (excess[type] - direction[type]);
    }
  }

  private void swapPrices() {
    double[] better = tried;
    tried = prices;
    prices = better;
  }

  private static double dot(double[] left, double[] right) {
    double sum = 0;
    for (int i = 0; i < left.length; i++) {
      sum += left[i] * right[i];
    }
    return sum;
  }

  /**
   * A node to place tasks on.
   *
   * @param free its free GPUs
   * @param resident the sum of the intensities of the tasks that run there already
   */
  record Node(int free, long resident) {
    Node inUnitsOf(long unit) {
      return new Node(free, resident / unit);
    }
  }
}
