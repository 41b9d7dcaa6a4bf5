package io.github.liquidscheduler.planner.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds, for given prices per task, which tasks a node would take: a knapsack whose items disturb
 * each other. With total intensity S of the tasks taken, R of those resident, and t tasks of a job
 * of intensity i, traffic v and price p, taking costs
 *
 * <pre>S²/2 + R S - sum over jobs ((i² + v) t²/2 + p t)</pre>
 *
 * that is: the interference between tasks of different jobs, less what traffic is spared between
 * tasks of one job, less the prices. For a fixed S the sum is separable, so one dynamic programme
 * over GPUs and S serves nodes of every size and every R. O(types x GPUs x S x tasks per node).
 */
final class NodeKnapsack {

  private final TaskTypes types;
  private final int gpus;
  private final int width;
  private final double[] cost;
  private final List<byte[]> choices = new ArrayList<>();
  private int[] typeOfRow = new int[16];
  private int rows;
  private double largest;

  /**
   * Makes a knapsack.
   *
   * @param gpus the GPUs of the largest node
   */
  NodeKnapsack(TaskTypes types, int gpus) {
    this.types = types;
    this.gpus = gpus;
    width = types.highestIntensity(gpus) + 1;
    cost = new double[(gpus + 1) * width];
  }

  /** Takes prices per task, by type. */
  void price(double[] prices) {
    Arrays.fill(cost, Double.POSITIVE_INFINITY);
    cost[0] = 0;
    rows = 0;
    largest = 0;
    for (int type = 0; type < types.count(); type++) {
      double[] values = values(type, prices[type]);
      boolean pays = Arrays.stream(values).min().orElse(0) < 0;
      int jobs = Math.min(types.jobs(type), gpus / types.gpus(type));
      for (int job = 0; pays && job < jobs; job++) {
        pays = addJob(type, values);
      }
    }
  }

  /** Returns the costs of taking 0, 1, 2 … tasks of one job of the type, S apart. */
  private double[] values(int type, double price) {
    int most = Math.min(types.tasks(type), gpus / types.gpus(type));
    double[] values = new double[most + 1];
    double square = (double) types.intensity(type) * types.intensity(type) + types.traffic(type);
    for (int tasks = 1; tasks <= most; tasks++) {
      values[tasks] = -square * tasks * tasks / 2 - price * tasks;
      largest = Math.max(largest, Math.abs(square * tasks * tasks) + Math.abs(price * tasks));
    }
    return values;
  }

  /** Lets one more job of the type take part, and returns true if that made anything cheaper. */
  private boolean addJob(int type, double[] values) {
    byte[] choice = nextRow(type);
    boolean helps = false;
    for (int used = gpus; used >= types.gpus(type); used--) {
      for (int total = width - 1; total >= types.intensity(type); total--) {
        helps |= improve(type, values, used, total, choice);
      }
    }
    rows -= helps ? 0 : 1;
    return helps;
  }

  private boolean improve(int type, double[] values, int used, int total, byte[] choice) {
    int state = used * width + total;
    double before = cost[state];
    double best = before;
    int step = types.gpus(type) * width + types.intensity(type);
    int most =
        Math.min(
            values.length - 1,
            types.intensity(type) == 0
                ? used / types.gpus(type)
                : Math.min(used / types.gpus(type), total / types.intensity(type)));
    for (int tasks = 1; tasks <= most; tasks++) {
      double with = cost[state - tasks * step] + values[tasks];
      if (with < best) {
        best = with;
        choice[state] = (byte) tasks;
      }
    }
    cost[state] = best;
    return best < before;
  }

  private byte[] nextRow(int type) {
    if (rows == choices.size()) {
      choices.add(new byte[cost.length]);
    }
    if (rows == typeOfRow.length) {
      typeOfRow = Arrays.copyOf(typeOfRow, 2 * rows);
    }
    Arrays.fill(choices.get(rows), (byte) 0);
    typeOfRow[rows] = type;
    return choices.get(rows++);
  }

  /**
   * Returns the least cost of a node.
   *
   * @param free its free GPUs
   * @param resident the intensity of what runs there
   * @param taken is added {@code nodes} times the tasks of each type that the node takes
   * @param nodes how many nodes are like it
   */
  double cheapest(int free, long resident, double[] taken, int nodes) {
    int best = 0;
    double least = 0;
    for (int used = 1; used <= free; used++) {
      for (int total = 0; total < width; total++) {
        double here =
            cost[used * width + total] + (double) total * total / 2 + (double) resident * total;
        if (here < least) {
          least = here;
          best = used * width + total;
        }
      }
    }
    unfold(best, taken, nodes);
    return least;
  }

  /** Returns no less than any number that adds up to a {@link #cheapest} cost. */
  double largestSummand(long resident) {
    return largest + (double) width * width + (double) resident * width;
  }

  private void unfold(int state, double[] taken, int nodes) {
    int left = state;
    for (int row = rows - 1; row >= 0; row--) {
      int tasks = choices.get(row)[left];
      int type = typeOfRow[row];
      taken[type] += (double) nodes * tasks;
      left -= tasks * (types.gpus(type) * width + types.intensity(type));
    }
  }
}
