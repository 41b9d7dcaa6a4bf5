package io.github.liquidscheduler.lab.reference.pollux;

import io.github.liquidscheduler.lab.reference.pollux.NodeAllocation.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places jobs on part of a node or on whole nodes, so that no node has two distributed jobs. A job
 * whose size stays keeps its place, unless a larger one needs it: then the node is cleared on which
 * the fewest smaller jobs are in the way, and these are placed again. Sizes of 1, 2 and 4 GPUs a
 * node always find room; others may have to wait. For one plan.
 */
final class MovingPlacer {

  private final GoodputCluster cluster;
  private final Map<GoodputProgress, Integer> sizes;
  private final Map<GoodputProgress, NodeAllocation> placed = new LinkedHashMap<>();
  private final List<GoodputProgress> moving = new ArrayList<>();
  private final int[] free;

  private MovingPlacer(GoodputCluster cluster, Map<GoodputProgress, Integer> sizes) {
    this.cluster = cluster;
    this.sizes = sizes;
    this.free = new int[cluster.nodes()];
    Arrays.fill(free, cluster.gpusPerNode());
  }

  /**
   * Returns the GPUs of each job that finds room.
   *
   * @param sizes how many GPUs each job shall hold; 0 is allowed
   */
  static Map<GoodputProgress, NodeAllocation> place(
      GoodputCluster cluster, Map<GoodputProgress, Integer> sizes) {
    return new MovingPlacer(cluster, sizes).place();
  }

  private Map<GoodputProgress, NodeAllocation> place() {
    sizes.keySet().stream().filter(job -> size(job) > 0).forEach(this::keepOrMove);
    while (!moving.isEmpty()) {
      GoodputProgress largest = largestMoving();
      moving.remove(largest);
      move(largest);
    }
    return placed;
  }

  private int size(GoodputProgress job) {
    return sizes.getOrDefault(job, 0);
  }

  private void keepOrMove(GoodputProgress job) {
    NodeAllocation held = job.allocation();
    if (held != null && held.gpus() == size(job)) {
      placed.put(job, held);
      held.takeFrom(free);
    } else {
      moving.add(job);
    }
  }

  private GoodputProgress largestMoving() {
    return moving.stream()
        .reduce((one, other) -> size(other) > size(one) ? other : one)
        .orElseThrow();
  }

  private void move(GoodputProgress job) {
    List<Part> parts = new ArrayList<>();
    for (int left = size(job); left > 0; left -= cluster.gpusPerNode()) {
      int need = Math.min(left, cluster.gpusPerNode());
      Optional<Integer> node = bestFit(need).or(() -> clear(need));
      if (node.isEmpty()) {
        parts.forEach(part -> free[part.node()] += part.gpus());
        return;
      }
      parts.add(new Part(node.get(), need));
      free[node.get()] -= need;
    }
    placed.put(job, new NodeAllocation(parts));
  }

  private Optional<Integer> bestFit(int need) {
    int best = -1;
    for (int node = 0; node < free.length; node++) {
      if (free[node] >= need && (best < 0 || free[node] < free[best])) {
        best = node;
      }
    }
    return best < 0 ? Optional.empty() : Optional.of(best);
  }

  /** Clears the node on which the fewest smaller jobs make room, if there is one. */
  private Optional<Integer> clear(int need) {
    Optional<Integer> best = Optional.empty();
    List<GoodputProgress> fewest = List.of();
    for (int node = 0; node < free.length; node++) {
      List<GoodputProgress> inTheWay = smaller(node, need);
      boolean isEnough = free[node] + inTheWay.stream().mapToInt(this::size).sum() >= need;
      if (isEnough && (best.isEmpty() || inTheWay.size() < fewest.size())) {
        best = Optional.of(node);
        fewest = inTheWay;
      }
    }
    fewest.forEach(this::displace);
    return best;
  }

  /** Returns jobs on a node alone that are smaller than what is needed, as few as make room. */
  private List<GoodputProgress> smaller(int node, int need) {
    List<GoodputProgress> smaller = new ArrayList<>();
    int room = free[node];
    for (Map.Entry<GoodputProgress, NodeAllocation> entry : placed.entrySet()) {
      NodeAllocation held = entry.getValue();
      if (room < need && held.gpus() < need && held.isOn(node)) {
        smaller.add(entry.getKey());
        room += held.gpus();
      }
    }
    return smaller;
  }

  private void displace(GoodputProgress job) {
    NodeAllocation held = placed.remove(job);
    if (held != null) {
      held.parts().forEach(part -> free[part.node()] += part.gpus());
    }
    moving.add(job);
  }
}
