package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.network.Traffic;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Chooses the GPUs of a node for the tasks of a gang (NLWP).
 *
 * <p>The cost of a choice is the mean cost of its GPUs by the policy, plus the fraction by which
 * the slowest task makes every iteration longer, since all wait for it, plus that of communicating
 * by the network model. Tasks in several NVLink groups communicate over the host.
 *
 * <p>Up to {@value #MOST_CHOICES} choices are all tried. Of more, the cheapest are taken one by
 * one, then exchanged while that helps.
 */
final class TaskChoice {

  static final int MOST_CHOICES = 5000;

  private static final int MOST_CHANGES = 200;

  private final CapacityIndex index;
  private final int node;
  private final int tasks;
  private final double stretchInGroup;
  private final double stretchBetweenGroups;

  TaskChoice(CandidateJob candidateJob, CapacityIndex index, NetworkModel network, int node) {
    this.index = index;
    this.node = node;
    tasks = candidateJob.tasks();
    Traffic traffic = Traffic.of(candidateJob.job());
    TaskCounts counts = new TaskCounts(index.topology().nodes().size(), 1);
    counts.add(node, 0, tasks);
    stretchInGroup = network.stretchOnNode(traffic, counts, node, true);
    stretchBetweenGroups = network.stretchOnNode(traffic, counts, node, false);
  }

  /**
   * Returns the cheapest choice, in the order of the GPUs.
   *
   * @param places the GPUs to choose from, cheapest first; at least as many as there are tasks
   */
  List<ColocatedTask> choose(List<ColocatedTask> places) {
    List<ColocatedTask> best =
        choices(places.size(), tasks) <= MOST_CHOICES ? bestOfAll(places) : improved(places);
    List<ColocatedTask> inOrder = new ArrayList<>(best);
    inOrder.sort((one, other) -> Integer.compare(one.gpu(), other.gpu()));
    return inOrder;
  }

  /** Returns the cost of a choice. */
  double cost(List<ColocatedTask> chosen) {
    double sum = 0;
    double slowest = Double.POSITIVE_INFINITY;
    BitSet groups = new BitSet();
    int first = index.topology().gpusBefore(node);
    for (ColocatedTask place : chosen) {
      sum += place.cost();
      slowest = Math.min(slowest, place.speed());
      groups.set(index.nvlinkGroup(node, place.gpu() - first));
    }
    double stretch = groups.cardinality() == 1 ? stretchInGroup : stretchBetweenGroups;
    return sum / chosen.size() + Math.max(0, 1 / slowest - 1) + stretch;
  }

  private List<ColocatedTask> bestOfAll(List<ColocatedTask> places) {
    int[] picks = new int[tasks];
    for (int i = 0; i < tasks; i++) {
      picks[i] = i;
    }
    List<ColocatedTask> best = chosen(places, picks);
    double least = cost(best);
    while (next(picks, places.size())) {
      List<ColocatedTask> chosen = chosen(places, picks);
      double cost = cost(chosen);
      if (cost < least) {
        best = chosen;
        least = cost;
      }
    }
    return best;
  }

  /** Starts from the cheapest and exchanges one GPU for another while that helps. */
  private List<ColocatedTask> improved(List<ColocatedTask> places) {
    List<ColocatedTask> best = new ArrayList<>(places.subList(0, tasks));
    List<ColocatedTask> rest = new ArrayList<>(places.subList(tasks, places.size()));
    double least = cost(best);
    int changes = 0;
    boolean improves = true;
    while (improves) {
      improves = false;
      for (int i = 0; i < best.size(); i++) {
        for (int j = 0; j < rest.size() && changes < MOST_CHANGES; j++, changes++) {
          ColocatedTask before = best.get(i);
          best.set(i, rest.get(j));
          double cost = cost(best);
          if (cost < least) {
            least = cost;
            rest.set(j, before);
            improves = true;
          } else {
            best.set(i, before);
          }
        }
      }
    }
    return best;
  }

  private static List<ColocatedTask> chosen(List<ColocatedTask> places, int[] picks) {
    List<ColocatedTask> chosen = new ArrayList<>(picks.length);
    for (int pick : picks) {
      chosen.add(places.get(pick));
    }
    return chosen;
  }

  /** Moves on to the next choice of ascending positions; returns false after the last. */
  private static boolean next(int[] picks, int size) {
    int at = picks.length - 1;
    while (at >= 0 && picks[at] == size - picks.length + at) {
      at--;
    }
    if (at < 0) {
      return false;
    }
    picks[at]++;
    for (int i = at + 1; i < picks.length; i++) {
      picks[i] = picks[i - 1] + 1;
    }
    return true;
  }

  private static long choices(int size, int tasks) {
    long choices = 1;
    for (int i = 1; i <= tasks && choices <= MOST_CHOICES; i++) {
      choices = choices * (size - tasks + i) / i;
    }
    return choices;
  }
}
