package io.github.liquidscheduler.lab.reference.fgd;

import java.util.Arrays;

/** A node and what is left on it. */
final class PodNode {
  private final String name;
  private final int[] left;
  private long cpu;
  private long memory;

  /**
   * Makes an empty node.
   *
   * @param cpu thousandths of a core
   * @param memory MiB
   */
  PodNode(String name, long cpu, long memory, int gpus) {
    this.name = name;
    this.cpu = cpu;
    this.memory = memory;
    left = new int[gpus];
    Arrays.fill(left, PodRequest.WHOLE);
  }

  /** Returns the same node with all that is left now. */
  PodNode copy() {
    PodNode copy = new PodNode(name, cpu, memory, left.length);
    System.arraycopy(left, 0, copy.left, 0, left.length);
    return copy;
  }

  String name() {
    return name;
  }

  long cpu() {
    return cpu;
  }

  int gpus() {
    return left.length;
  }

  /** Returns how many thousandths of a GPU are left. */
  int left(int gpu) {
    return left[gpu];
  }

  int leftTotal() {
    return Arrays.stream(left).sum();
  }

  boolean fits(PodRequest pod) {
    return cpu >= pod.cpu() && memory >= pod.memory() && hasGpus(pod);
  }

  /** Returns whether enough GPUs have so much left. */
  boolean hasGpus(PodRequest pod) {
    int missing = pod.gpus();
    for (int gpu = 0; gpu < left.length && missing > 0; gpu++) {
      if (left[gpu] >= pod.share()) {
        missing--;
      }
    }
    return missing == 0;
  }

  /** Takes what a pod requests; a share from this GPU, whole ones from the first that are free. */
  void take(PodRequest pod, int gpu) {
    cpu -= pod.cpu();
    memory -= pod.memory();
    if (pod.isShare()) {
      left[gpu] -= pod.share();
      return;
    }
    int missing = pod.gpus();
    for (int each = 0; missing > 0; each++) {
      if (left[each] == PodRequest.WHOLE) {
        left[each] = 0;
        missing--;
      }
    }
  }
}
