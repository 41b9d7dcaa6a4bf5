package io.github.liquidscheduler.placement.capacity;

/**
 * What tasks hold of one node.
 *
 * @param node the position of the node
 * @param gpus the indices of the GPUs
 * @param share the share of each GPU, in thousandths
 * @param gpuMemory the device memory on each GPU, in bytes
 * @param cpu the CPU, in millicores
 * @param memory the host memory, in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Holding(int node, int[] gpus, int share, long gpuMemory, long cpu, long memory) {

  /** Returns the whole of some GPUs, and nothing else of the node. */
  public static Holding ofGpus(int node, int... gpus) {
    return new Holding(node, gpus, 1000, 0, 0, 0);
  }
}
