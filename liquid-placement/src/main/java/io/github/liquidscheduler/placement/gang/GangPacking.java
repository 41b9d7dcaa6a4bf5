package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/*
 * Idea: depth first, bin by bin, each filled until no task fits: first task by task in a
 * PackingOrder, then in every other way. Ways are cut by PackingBound (tasks left against bins
 * left), by dominance (a bin with space for a task of a later bin), and by remembering the tasks
 * left at a failed bin.
 * Invariants: dominance is applied at the last bin of a node only, since bins of one node share CPU
 * and memory; keys are exact or not used, so IMPOSSIBLE is a proof (GangPackingLaws, exhaustive
 * search).
 * Cost: exponential in the worst case, cut at mostSteps; a step costs O(roles x resources). O(bins
 * x roles) memory, plus the failed keys.
 * Rejected: one order with all the steps: few early choices are ever taken back.
 */
/**
 * Packs a gang of several roles into the nodes of a range: vector bin packing, depth first.
 *
 * <p>A search that ends without a placement is a proof that there is none.
 *
 * <p>Parts of GPUs are counted in sum, so with them a packing need not be a placement.
 */
final class GangPacking {

  /** The result of a search. */
  enum Outcome {
    /** All tasks have a bin. */
    PACKED,
    /** There is no placement. */
    IMPOSSIBLE,
    /** Neither was found within the steps allowed. */
    GAVE_UP
  }

  /** The part of the steps that each order but the last gets. */
  private static final int PART = 8;

  /** Up to this many roles are compared in sum; more are compared one by one. */
  private static final int MANY_ROLES = 32;

  private final PackingBins bins;
  private final PackingState state;
  private final int roles;
  private final Set<Long> failed = new HashSet<>();
  private final boolean remembers;
  private final int[] first;
  private final Way[] ways;
  private long stepsLeft;
  private long steps;
  private int used;

  /** The ways to fill a bin tried so far. */
  private enum Way {
    NONE,
    IN_ORDER,
    ANY
  }

  /** Makes a search in the amounts free now. */
  GangPacking(CapacityIndex index, GangShape gang, NodeRange range, List<GpuPool> pools) {
    bins = new PackingBins(index, gang, range, pools);
    state = new PackingState(index, gang, bins);
    roles = bins.tasks.length;
    first = new int[bins.size() * roles];
    ways = new Way[bins.size()];
    double keys = 2.0 * (bins.size() + 1);
    for (TaskShape task : bins.tasks) {
      keys *= task.role().count() + 1;
    }
    remembers = keys < Long.MAX_VALUE;
  }

  /**
   * Some tasks of a role on one node.
   *
   * @param task the request of each
   * @param pool the pool of their GPUs
   * @param node the position of the node
   * @param count the number of tasks
   */
  record Part(TaskShape task, GpuPool pool, int node, int count) {}

  /** Searches for a packing, in about {@code mostSteps} steps at most. */
  Outcome pack(long mostSteps) {
    if (bins.size() == 0 || state.isHopeless(roles <= MANY_ROLES)) {
      return Outcome.IMPOSSIBLE;
    }
    PackingOrder[] orders = PackingOrder.values();
    Outcome outcome = Outcome.GAVE_UP;
    for (int i = 0; i <= orders.length && outcome == Outcome.GAVE_UP; i++) {
      long each = mostSteps / PART;
      long part = i < orders.length ? each : mostSteps - orders.length * each;
      stepsLeft = part;
      outcome = search(orders[i % orders.length]);
      this.steps += part - stepsLeft;
    }
    return outcome;
  }

  /** Returns the steps that the last call took. */
  long steps() {
    return steps;
  }

  private Outcome search(PackingOrder order) {
    int bin = 0;
    state.begin();
    ways[0] = Way.NONE;
    while (bin >= 0) {
      if (stepsLeft <= 0) {
        return Outcome.GAVE_UP;
      }
      if (!fillNext(bin, order)) {
        fail(bin--);
      } else if (state.advance(bin)) {
        used = bin + 1;
        if (state.isComplete(bin)) {
          return Outcome.PACKED;
        }
        if (!hasFailed(used)) {
          ways[++bin] = Way.NONE;
        }
      }
    }
    return Outcome.IMPOSSIBLE;
  }

  /** Fills a bin in the next way, and returns true if there was one. */
  private boolean fillNext(int bin, PackingOrder order) {
    switch (ways[bin]) {
      case NONE -> {
        ways[bin] = Way.IN_ORDER;
        return fillInOrder(bin, order);
      }
      case IN_ORDER -> {
        ways[bin] = Way.ANY;
        empty(bin, 0);
        fill(bin, 0);
      }
      case ANY -> {
        if (!fillWithFewer(bin)) {
          return false;
        }
      }
    }
    while (stepsLeft > 0 && (isFirst(bin) || hasSpace(bin))) {
      if (!fillWithFewer(bin)) {
        return false;
      }
    }
    return true;
  }

  /** Fills a bin with the tasks that no later one holds, then task by task in an order. */
  private boolean fillInOrder(int bin, PackingOrder order) {
    for (int role = 0; role < roles; role++) {
      int fewest = state.fewest(bin, role);
      if (fewest > state.fitting(bin, role)) {
        return false;
      }
      state.add(bin, role, fewest);
    }
    for (int next = order.next(bins, state, bin); next >= 0; ) {
      state.add(bin, next, 1);
      stepsLeft -= roles;
      next = order.next(bins, state, bin);
    }
    for (int role = 0; role < roles; role++) {
      first[bin * roles + role] = state.tasks(bin, role);
    }
    return true;
  }

  /** Takes one task less of the last role of which that is possible, and fills up after it. */
  private boolean fillWithFewer(int bin) {
    for (int role = roles - 1; role >= 0; role--) {
      boolean mayBeFewer = role < roles - 1 || state.isSliced(role) || !bins.endsNode(bin);
      if (mayBeFewer && state.tasks(bin, role) > state.fewest(bin, role)) {
        state.add(bin, role, -1);
        empty(bin, role + 1);
        fill(bin, role + 1);
        return true;
      }
    }
    return false;
  }

  private void empty(int bin, int from) {
    for (int role = from; role < roles; role++) {
      state.add(bin, role, -state.tasks(bin, role));
    }
  }

  private void fill(int bin, int from) {
    for (int role = from; role < roles; role++) {
      state.add(bin, role, state.fitting(bin, role));
    }
    stepsLeft -= roles;
  }

  private boolean isFirst(int bin) {
    for (int role = 0; role < roles; role++) {
      if (first[bin * roles + role] != state.tasks(bin, role)) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if a task could move to a bin from any later one. */
  private boolean hasSpace(int bin) {
    for (int role = 0; role < roles && bins.endsNode(bin); role++) {
      if (!state.isSliced(role) && state.fitting(bin, role) > 0) {
        return true;
      }
    }
    return false;
  }

  private boolean hasFailed(int bin) {
    return remembers && state.isIndependent(bin) && failed.contains(key(bin));
  }

  private void fail(int bin) {
    if (remembers && state.isIndependent(bin)) {
      failed.add(key(bin));
    }
  }

  private long key(int bin) {
    long key = 2L * bin + (state.hasLastSlice(bin) ? 1 : 0);
    for (int role = 0; role < roles; role++) {
      key = key * (bins.tasks[role].role().count() + 1) + state.left(bin, role);
    }
    return key;
  }

  /** Returns the tasks on each node, those of a smaller last slice at the end. */
  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    addParts(parts, false);
    addParts(parts, true);
    return parts;
  }

  private void addParts(List<Part> parts, boolean ofLastSlice) {
    for (int bin = 0; bin < used; bin++) {
      for (int role = 0; role < roles && state.isOfLastSlice(bin, used) == ofLastSlice; role++) {
        int count = state.tasks(bin, role);
        if (count > 0) {
          parts.add(new Part(bins.tasks[role], bins.pool(bin), bins.node(bin), count));
        }
      }
    }
  }
}
