package io.github.liquidscheduler.lab.reference.fgd;

import java.util.Arrays;
import java.util.stream.Collectors;

/** How a pod gets its node and its GPU, as in the original's scoring plug-ins. */
public enum PodPolicy {
  /** Any node on which it fits; any of the GPUs that have enough left. */
  RANDOM("random"),

  /** The node whose free CPU and GPUs have the smallest dot product with what it requests. */
  DOT_PRODUCT("dot-product") {
    @Override
    PodScore score(PodNode node, PodRequest pod, TypicalPods typical) {
      double product =
          node.cpu() * (double) pod.cpu() / (MOST_CPU * MOST_CPU)
              + node.leftTotal() * (double) pod.gpuTotal() / (MOST_GPU * MOST_GPU);
      return PodScore.of(BEST * (1 - product / 2), fullest(node, pod));
    }
  },

  /** The node on which least is left: half by CPU, half by GPUs. */
  BEST_FIT("best-fit") {
    @Override
    PodScore score(PodNode node, PodRequest pod, TypicalPods typical) {
      double left =
          (node.cpu() - pod.cpu()) / MOST_CPU / 2
              + (node.leftTotal() - pod.gpuTotal()) / MOST_GPU / 2;
      return PodScore.of(BEST * (1 - left), fullest(node, pod));
    }

    @Override
    boolean isSpread() {
      return true;
    }
  },

  /** Where fragmentation grows least: fragmentation gradient descent. */
  FGD("fgd") {
    @Override
    PodScore score(PodNode node, PodRequest pod, TypicalPods typical) {
      double before = typical.fragmentation(node);
      if (!pod.isShare()) {
        return PodScore.of(gradient(before, node, pod, 0, typical), 0);
      }
      PodScore best = null;
      for (int gpu = 0; gpu < node.gpus(); gpu++) {
        if (node.left(gpu) >= pod.share()) {
          PodScore score = PodScore.of(gradient(before, node, pod, gpu, typical), gpu);
          best = best == null || score.value() > best.value() ? score : best;
        }
      }
      if (best == null) {
        throw new IllegalArgumentException("a pod must fit on the node that is scored");
      }
      return best;
    }
  };

  /** The score of the best node. */
  private static final double BEST = 100;

  /** The original's largest node. */
  private static final double MOST_CPU = 128_000;

  private static final double MOST_GPU = 8000;

  private final String policyName;

  PodPolicy(String policyName) {
    this.policyName = policyName;
  }

  /**
   * Returns the policy called {@code name}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static PodPolicy named(String name) {
    return Arrays.stream(values())
        .filter(policy -> policy.policyName.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a policy of FGD must be one of %s, but was '%s'"
                        .formatted(
                            Arrays.stream(values())
                                .map(policy -> policy.policyName)
                                .collect(Collectors.joining(", ")),
                            name)));
  }

  /** Returns what a node on which the pod fits is worth, and which GPU gives it a share. */
  PodScore score(PodNode node, PodRequest pod, TypicalPods typical) {
    return new PodScore(0, 0);
  }

  /** Returns whether scores are spread from 0 to 100 over the nodes on which a pod fits. */
  boolean isSpread() {
    return false;
  }

  private static double gradient(
      double before, PodNode node, PodRequest pod, int gpu, TypicalPods typical) {
    PodNode after = node.copy();
    after.take(pod, gpu);
    double less = (before - typical.fragmentation(after)) / PodRequest.WHOLE;
    return BEST / (1 + StrictMath.exp(-less));
  }

  /** Returns the GPU with the least left of those with enough. */
  private static int fullest(PodNode node, PodRequest pod) {
    int best = -1;
    for (int gpu = 0; gpu < node.gpus(); gpu++) {
      if (node.left(gpu) >= pod.share() && (best < 0 || node.left(gpu) < node.left(best))) {
        best = gpu;
      }
    }
    return best;
  }
}
