package io.github.liquidscheduler.planner.bound;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.GangNetworkCost;
import io.github.liquidscheduler.planner.problem.LeastSeconds;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planner.problem.SlotTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A cost, in units, that no plan which starts the same jobs can be below. It adds up what holds
 * whatever else is chosen: what the {@link NodeBound} says of nodes, and what gangs too large for
 * any rack pay for pairs on different racks, or, in seconds, what the traffic of each costs at
 * least ({@link LeastSeconds}). What running jobs keep from being free is counted; CPU, memory,
 * labels and levels are left out, which only lowers it.
 */
public final class LowerBound {

  /** A bound this little above a whole number may be there by rounding. */
  private static final double WHOLE = 1e-3;

  private final Problem problem;
  private final int[] capacity;
  private final List<TaskTypes.Member> members = new ArrayList<>();
  private long farther;
  private long least;

  private LowerBound(Problem problem) {
    this.problem = problem;
    capacity = capacity(problem);
  }

  /**
   * Returns the GPUs of each slot that a plan may use: on nodes that take no jobs, those at home.
   */
  private static int[] capacity(Problem problem) {
    SlotTable slotTable = problem.slotTable();
    int[] capacity = slotTable.free.clone();
    for (Gang gang : problem.gangs()) {
      for (int i = 0; i < gang.home.byRole.length; i++) {
        int slot = gang.home.slots[i / gang.roles];
        int gpus = gang.home.byRole[i] * gang.gpus[i % gang.roles];
        capacity[slot] += slotTable.isUp[slot] ? 0 : gpus;
      }
    }
    return capacity;
  }

  /**
   * Returns the bound, whatever a plan is known to cost.
   *
   * @param assignments a plan, for which jobs start in it
   * @param target what the bound is looked for below, in units: the cost of a plan; a bound that is
   *     found above it holds all the same
   * @param rounds how often to try to improve the bound; 0 for no bound
   */
  public static double of(
      Problem problem, GangAssignment[] assignments, double target, int rounds) {
    LowerBound bound = new LowerBound(problem);
    int[] capacityOfRacks = bound.capacityOfRacks();
    for (Gang gang : problem.gangs()) {
      if (!assignments[gang.id].isUnassigned()) {
        bound.add(gang, capacityOfRacks);
      }
    }
    return rounds == 0 ? 0 : bound.below(target, rounds);
  }

  private double below(double target, int rounds) {
    double alone = (double) farther + least;
    if (members.isEmpty()) {
      return alone;
    }
    double below = new NodeBound(members, nodes()).below(Math.max(0, target - alone), rounds);
    // Costs are whole numbers of units, so what is above one is at least the next.
    return Math.ceil(below - WHOLE) + alone;
  }

  /** Adds the tasks of a gang; of several roles only one, for those of a job spare each other. */
  private void add(Gang gang, int[] capacityOfRacks) {
    int role = mostTasksWithGpus(gang);
    if (role < 0) {
      return;
    }
    GangNetworkCost cost = problem.networkCosts()[gang.id];
    boolean alone = gang.roles == 1;
    long pair = alone ? cost.leastPair() : 0;
    long intensity = problem.interference().intensities()[gang.interferenceClass];
    least += cost.least();
    members.add(new TaskTypes.Member(gang.count[role], gang.gpus[role], intensity, pair));
    if (alone) {
      farther +=
          cost.leastFarther() * pairsOnDifferentRacks(gang.count[0], gang.gpus[0], capacityOfRacks);
    }
  }

  private static int mostTasksWithGpus(Gang gang) {
    int best = -1;
    for (int role = 0; role < gang.roles; role++) {
      if (gang.gpus[role] > 0 && (best < 0 || gang.count[role] > gang.count[best])) {
        best = role;
      }
    }
    return best;
  }

  /** Returns the least number of pairs on different racks: with the largest racks filled up. */
  private static long pairsOnDifferentRacks(long tasks, int gpus, int[] ascending) {
    long left = tasks;
    long onRacks = 0;
    for (int i = ascending.length - 1; i >= 0 && left > 0; i--) {
      long here = Math.min(left, ascending[i] / gpus);
      onRacks += here * here;
      left -= here;
    }
    return left > 0 ? 0 : (tasks * tasks - onRacks) / 2;
  }

  private int[] capacityOfRacks() {
    SlotTable slotTable = problem.slotTable();
    int[] capacityOfRacks = new int[slotTable.racks];
    for (int slot = 0; slot < slotTable.slots; slot++) {
      capacityOfRacks[slotTable.rack[slot]] += capacity[slot];
    }
    Arrays.sort(capacityOfRacks);
    return capacityOfRacks;
  }

  /** Returns the nodes, with the GPUs of all pools together. */
  private List<NodeBound.Node> nodes() {
    SlotTable slotTable = problem.slotTable();
    long[] resident = problem.interference().residents();
    List<NodeBound.Node> nodes = new ArrayList<>();
    for (int node = 0; node < resident.length; node++) {
      int free = 0;
      for (int slot = slotTable.firstOfNode[node]; slot < slotTable.firstOfNode[node + 1]; slot++) {
        free += capacity[slot];
      }
      nodes.add(new NodeBound.Node(free, resident[node]));
    }
    return nodes;
  }
}
