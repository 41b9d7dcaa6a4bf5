package io.github.liquidscheduler.lab.reference.fgd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Places pods one by one. */
final class PodPlacement {
  private static final long BEST = 100;

  private final List<PodNode> nodes = new ArrayList<>();
  private final PodPolicy policy;
  private final TypicalPods typical;
  private final Random random;

  /** What nodes are worth to a kind of pod, until something is placed on them. */
  private final Map<PodRequest, @Nullable PodScore[]> scores = new HashMap<>();

  private double requested;
  private double allocated;

  PodPlacement(List<PodNode> empty, PodPolicy policy, TypicalPods typical, Random random) {
    empty.forEach(node -> nodes.add(node.copy()));
    this.policy = policy;
    this.typical = typical;
    this.random = random;
  }

  /** Returns the thousandths of GPUs that were requested so far. */
  double requested() {
    return requested;
  }

  /** Returns the thousandths of GPUs that are allocated. */
  double allocated() {
    return allocated;
  }

  /** Places a pod, if it fits anywhere. */
  void place(PodRequest pod) {
    requested += pod.gpuTotal();
    List<Integer> feasible = new ArrayList<>();
    for (int node = 0; node < nodes.size(); node++) {
      if (nodes.get(node).fits(pod)) {
        feasible.add(node);
      }
    }
    if (feasible.isEmpty()) {
      return;
    }
    if (policy == PodPolicy.RANDOM) {
      int node = feasible.get(random.nextInt(feasible.size()));
      take(pod, node, anyGpu(nodes.get(node), pod));
    } else {
      int node = best(pod, feasible);
      take(pod, node, score(pod, node).gpu());
    }
  }

  private int best(PodRequest pod, List<Integer> feasible) {
    long lowest = Long.MAX_VALUE;
    long highest = Long.MIN_VALUE;
    for (int node : feasible) {
      long value = score(pod, node).value();
      lowest = Math.min(lowest, value);
      highest = Math.max(highest, value);
    }
    long range = highest - lowest;
    for (int node : feasible) {
      long value = score(pod, node).value();
      boolean isSpread = policy.isSpread() && range > 0;
      boolean isBest = isSpread ? (value - lowest) * BEST / range == BEST : value == highest;
      if (isBest) {
        return node;
      }
    }
    throw new IllegalStateException("one of the feasible nodes must have the highest score");
  }

  private PodScore score(PodRequest pod, int node) {
    @Nullable PodScore[] known = scores.computeIfAbsent(pod, key -> new PodScore[nodes.size()]);
    PodScore score = known[node];
    if (score == null) {
      score = policy.score(nodes.get(node), pod, typical);
      known[node] = score;
    }
    return score;
  }

  private void take(PodRequest pod, int node, int gpu) {
    nodes.get(node).take(pod, gpu);
    allocated += pod.gpuTotal();
    for (@Nullable PodScore[] known : scores.values()) {
      known[node] = null;
    }
  }

  private int anyGpu(PodNode node, PodRequest pod) {
    List<Integer> enough = new ArrayList<>();
    for (int gpu = 0; gpu < node.gpus(); gpu++) {
      if (node.left(gpu) >= pod.share()) {
        enough.add(gpu);
      }
    }
    return enough.isEmpty() ? 0 : enough.get(random.nextInt(enough.size()));
  }
}
