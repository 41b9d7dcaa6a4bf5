package io.github.liquidscheduler.placement.cost;

/** The algorithms by which the GPUs of a job sum a buffer. */
public enum AllReduceAlgorithm {

  /**
   * One ring through all GPUs, node by node: every link on it carries {@code 2 (k - 1) / k} of the
   * buffer for {@code k} GPUs, and the slowest sets the transfer seconds.
   */
  RING,

  /**
   * First the GPUs of each node among themselves, then node with node: {@code 2 (g - 1) / g} of the
   * buffer inside a node of {@code g} GPUs, and then {@code 2 (n - 1) / n} of it between {@code n}
   * nodes.
   */
  HIERARCHICAL
}
