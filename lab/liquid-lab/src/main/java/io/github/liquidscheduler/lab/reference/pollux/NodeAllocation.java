package io.github.liquidscheduler.lab.reference.pollux;

import io.github.liquidscheduler.lab.reference.pollux.application.GpuLayout;
import java.util.Arrays;
import java.util.List;

/**
 * The GPUs of a job: nodes in the order of its workers, and how many GPUs of each. Immutable.
 *
 * @param parts at least one; each node comes once
 */
record NodeAllocation(List<Part> parts) {

  NodeAllocation {
    parts = List.copyOf(parts);
  }

  /** Some GPUs of a node. */
  record Part(int node, int gpus) {}

  GpuLayout layout() {
    return GpuLayout.of(parts.stream().mapToInt(Part::gpus).toArray());
  }

  int gpus() {
    return parts.stream().mapToInt(Part::gpus).sum();
  }

  boolean isDistributed() {
    return parts.size() > 1;
  }

  /** Returns whether all GPUs are of one node, of this one. */
  boolean isOn(int node) {
    return !isDistributed() && parts.get(0).node() == node;
  }

  /** Takes the GPUs from those that are free on each node. */
  void takeFrom(int[] free) {
    for (Part part : parts) {
      free[part.node()] -= part.gpus();
      if (free[part.node()] < 0) {
        throw new IllegalArgumentException(
            "a node must have as many GPUs as it gives, but node %d lacked %d of %s"
                .formatted(part.node(), -free[part.node()], Arrays.toString(free)));
      }
    }
  }
}
