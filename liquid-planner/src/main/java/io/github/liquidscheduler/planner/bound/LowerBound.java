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
  private final List<TaskTypes.Member> members = new ArrayList<>();
  private long farther;
  private long least;

  private LowerBound(Problem problem) {
    this.problem = problem;
  }

  /**
   * Returns the bound.
   *
   * @param places a plan, for which jobs start in it
   * @param cost what that plan costs, in units
   * @param rounds how often to try to improve the bound
   */
  public static double of(Problem problem, GangAssignment[] places, double cost, int rounds) {
    LowerBound bound = new LowerBound(problem);
    int[] room = bound.roomOfRacks();
    for (Gang gang : problem.gangs()) {
      if (!places[gang.id].isUnassigned()) {
        bound.add(gang, room);
      }
    }
    return rounds == 0 ? 0 : bound.below(cost, rounds);
  }

  private double below(double cost, int rounds) {
    if (members.isEmpty()) {
      return Math.min(cost, (double) farther + least);
    }
    double alone = (double) farther + least;
    double below = new NodeBound(members, rooms()).below(Math.max(0, cost - alone), rounds);
    // Costs are whole numbers of units, so what is above one is at least the next.
    return Math.min(cost, Math.ceil(below - WHOLE) + alone);
  }

  /** Adds the tasks of a gang; of several roles only one, for those of a job spare each other. */
  private void add(Gang gang, int[] room) {
    int role = mostTasksWithGpus(gang);
    if (role < 0) {
      return;
    }
    GangNetworkCost price = problem.prices()[gang.id];
    boolean alone = gang.roles == 1;
    long pair = alone ? price.leastPair() : 0;
    long intensity = problem.neighbours().intensities()[gang.kind];
    least += price.least();
    members.add(new TaskTypes.Member(gang.count[role], gang.gpus[role], intensity, pair));
    if (alone) {
      farther += price.leastFarther() * pairsOnDifferentRacks(gang.count[0], gang.gpus[0], room);
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

  /** Returns how many pairs are on different racks at least: with the roomiest racks filled up. */
  private static long pairsOnDifferentRacks(long tasks, int gpus, int[] roomAscending) {
    long left = tasks;
    long onRacks = 0;
    for (int i = roomAscending.length - 1; i >= 0 && left > 0; i--) {
      long here = Math.min(left, roomAscending[i] / gpus);
      onRacks += here * here;
      left -= here;
    }
    return left > 0 ? 0 : (tasks * tasks - onRacks) / 2;
  }

  private int[] roomOfRacks() {
    SlotTable slotTable = problem.slotTable();
    int[] room = new int[slotTable.racks];
    for (int slot = 0; slot < slotTable.slots; slot++) {
      room[slotTable.rack[slot]] += slotTable.free[slot];
    }
    Arrays.sort(room);
    return room;
  }

  /** Returns the nodes, with the GPUs of all kinds together. */
  private List<NodeBound.Room> rooms() {
    SlotTable slotTable = problem.slotTable();
    long[] resident = problem.neighbours().residents();
    List<NodeBound.Room> rooms = new ArrayList<>();
    for (int node = 0; node < resident.length; node++) {
      int free = 0;
      for (int slot = slotTable.firstOfNode[node]; slot < slotTable.firstOfNode[node + 1]; slot++) {
        free += slotTable.free[slot];
      }
      rooms.add(new NodeBound.Room(free, resident[node]));
    }
    return rooms;
  }
}
