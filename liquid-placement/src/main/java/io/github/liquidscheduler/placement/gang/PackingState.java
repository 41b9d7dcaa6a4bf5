package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import java.util.Arrays;

/*
 * Idea: one frame of arrays for each bin, written when the bin is reached, so that going back is
 * only an index; tasks, resources, spread and slices are counted from the frame before.
 * Invariants: frame b depends on frames below b only; left[b] counts tasks not on bins before b;
 * inDomain and inSlices begin again with each domain.
 * Cost: O(bins x roles) memory; add O(resources); advance and reach O(roles + resources), plus the
 * bound at the first bin of a node, O(roles x resources) (PackingStateTest).
 */
/**
 * The tasks of a gang on each bin in a search, with the tasks and resources left when a bin is
 * reached.
 */
final class PackingState {

  private final PackingBins bins;
  private final PackingBound bound;
  private final int roles;
  private final int mostInDomain;
  private final int[] spreadDomain;
  private final int[] sliceDomain;
  private final int sliced;
  private final int slice;
  private final int lastSlice;
  private final int[] left;
  private final int[] here;
  private final int[] inDomain;
  private final long[] rest;
  private final int[] inSlices;
  private final boolean[] hasLastSlice;

  /** Begins with all tasks of a gang left and all bins empty. */
  PackingState(CapacityIndex index, GangShape gang, PackingBins bins) {
    this.bins = bins;
    roles = bins.tasks.length;
    TopologyConstraint constraint = gang.job().topology();
    mostInDomain = gang.topology().maxTasksInDomain();
    spreadDomain =
        domains(index, constraint.spread().map(TopologyConstraint.Spread::level).orElse(""));
    sliceDomain =
        domains(index, constraint.slices().map(TopologyConstraint.Slices::level).orElse(""));
    sliced = constraint.slices().isEmpty() ? -1 : roleOfSlices(gang);
    slice = sliced < 0 ? 1 : gang.topology().sliceOf(bins.tasks[sliced]);
    lastSlice = sliced < 0 ? 0 : bins.tasks[sliced].role().count() % slice;
    bound = new PackingBound(bins, spreadDomain, mostInDomain);
    int size = bins.size() + 1;
    left = new int[size * roles];
    here = new int[size * roles];
    inDomain = new int[size * roles];
    rest = new long[size * PackingBins.RESOURCES];
    inSlices = new int[size];
    hasLastSlice = new boolean[size];
    for (int role = 0; role < roles; role++) {
      left[role] = bins.tasks[role].role().count();
    }
  }

  private int roleOfSlices(GangShape gang) {
    int role = 0;
    while (gang.topology().sliceOf(bins.tasks[role]) == Integer.MAX_VALUE) {
      role++;
    }
    return role;
  }

  /** Returns the first node of the domain of each bin; the node itself if it is in none. */
  private int[] domains(CapacityIndex index, String level) {
    int[] domains = new int[bins.size()];
    ClusterTopology topology = index.topology();
    for (int bin = 0; bin < domains.length; bin++) {
      int node = bins.node(bin);
      domains[bin] =
          level.isEmpty()
              ? node
              : GangTopology.domain(topology, topology.nodes().get(node).id(), level).first();
    }
    return domains;
  }

  PackingBound bound() {
    return bound;
  }

  /** Returns the number of tasks of a role on a bin. */
  int tasks(int bin, int role) {
    return here[bin * roles + role];
  }

  /** Returns the number of tasks of a role left when the bin is reached. */
  int left(int bin, int role) {
    return left[bin * roles + role];
  }

  /** Returns the amount of a resource left beside the tasks on the bin. */
  long rest(int bin, int resource) {
    return rest[bin * PackingBins.RESOURCES + resource];
  }

  /** Returns the sum of a resource requested by the tasks left when the bin is reached. */
  double requested(int bin, int resource) {
    return bound.requested(left, bin * roles, resource);
  }

  /** Returns the number of tasks of a role that the bins after this one do not hold. */
  int fewest(int bin, int role) {
    return (int) Math.max(0, left(bin, role) - bound.fitting(bin + 1, role));
  }

  /** Returns the number of further tasks of a role, of those left, that fit on a bin. */
  int fitting(int bin, int role) {
    int at = bin * roles + role;
    long fits = (long) Math.min(left[at], mostInDomain - inDomain[at]) - here[at];
    fits = bins.fitting(bin, role) == 0 ? 0 : fits;
    for (int i = 0; i < PackingBins.RESOURCES && fits > 0; i++) {
      long request = bins.requests[role * PackingBins.RESOURCES + i];
      fits = request == 0 ? fits : Math.min(fits, rest(bin, i) / request);
    }
    return (int) Math.max(0, fits);
  }

  /** Adds tasks of a role to a bin, or removes them if {@code tasks} is negative. */
  void add(int bin, int role, int tasks) {
    here[bin * roles + role] += tasks;
    for (int i = 0; i < PackingBins.RESOURCES; i++) {
      rest[bin * PackingBins.RESOURCES + i] -=
          tasks * bins.requests[role * PackingBins.RESOURCES + i];
    }
  }

  /**
   * Returns true if the role is cut into slices, so that a bin may have to hold less than it can.
   */
  boolean isSliced(int role) {
    return role == sliced;
  }

  /**
   * Returns true if the search from a bin on depends on the tasks left only: it is the first of its
   * node and of all domains in which tasks are counted.
   */
  boolean isIndependent(int bin) {
    return bin == 0
        || (bins.startsNode(bin)
            && (mostInDomain == Integer.MAX_VALUE || spreadDomain[bin - 1] != spreadDomain[bin])
            && (sliced < 0 || sliceDomain[bin - 1] != sliceDomain[bin]));
  }

  /** Returns true if a slice smaller than the others is in a domain before that of the bin. */
  boolean hasLastSlice(int bin) {
    return hasLastSlice[bin];
  }

  /** Begins with empty bins, at least one. */
  void begin() {
    reach(0);
  }

  /**
   * Returns true if all tasks exceed the capacity of all bins.
   *
   * @param inSum whether tasks of several roles are also counted together
   */
  boolean isHopeless(boolean inSum) {
    return bound.isExceeded(0, left, 0) || (inSum && bound.isExceededByLargest());
  }

  /** Goes on to the next bin, and returns true if the bins left may hold the tasks left. */
  boolean advance(int bin) {
    int next = bin + 1;
    boolean isComplete = true;
    for (int role = 0; role < roles; role++) {
      left[next * roles + role] = left(bin, role) - tasks(bin, role);
      isComplete &= left(next, role) == 0;
    }
    if (!keepsSlices(bin, isComplete)) {
      return false;
    }
    if (isComplete || next == bins.size()) {
      return isComplete;
    }
    reach(next);
    return !bins.startsNode(next) || !bound.isExceeded(next, left, next * roles);
  }

  /** Returns true if no tasks are left after a bin. */
  boolean isComplete(int bin) {
    for (int role = 0; role < roles; role++) {
      if (left(bin + 1, role) > 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns true if a smaller last slice is in the domain of a bin, of the {@code used} first bins.
   */
  boolean isOfLastSlice(int bin, int used) {
    int end = bin + 1;
    while (end < used && sliceDomain[end] == sliceDomain[bin] && !hasLastSlice[end]) {
      end++;
    }
    return sliced >= 0 && !hasLastSlice[bin] && hasLastSlice[end];
  }

  /** Counts the slices in the domain of a bin; returns false if it ends with a broken one. */
  private boolean keepsSlices(int bin, boolean isComplete) {
    if (sliced < 0) {
      return true;
    }
    int tasks = inSlices[bin] + tasks(bin, sliced);
    boolean isLast = bin + 1 == bins.size() || sliceDomain[bin] != sliceDomain[bin + 1];
    inSlices[bin + 1] = isLast ? 0 : tasks;
    hasLastSlice[bin + 1] = hasLastSlice[bin];
    if ((!isLast && !isComplete) || tasks % slice == 0) {
      return true;
    }
    hasLastSlice[bin + 1] = true;
    return tasks % slice == lastSlice && !hasLastSlice[bin];
  }

  private void reach(int bin) {
    Arrays.fill(here, bin * roles, (bin + 1) * roles, 0);
    for (int i = 0; i < PackingBins.RESOURCES; i++) {
      boolean isNew = i < PackingBins.OF_NODE || bins.startsNode(bin);
      rest[bin * PackingBins.RESOURCES + i] = isNew ? bins.free(bin, i) : rest(bin - 1, i);
    }
    boolean isSame = bin > 0 && spreadDomain[bin - 1] == spreadDomain[bin];
    for (int role = 0; role < roles; role++) {
      int before = (bin - 1) * roles + role;
      inDomain[bin * roles + role] = isSame ? inDomain[before] + here[before] : 0;
    }
  }
}
