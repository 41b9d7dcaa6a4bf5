package io.github.liquidscheduler.placement.capacity;

import java.util.Arrays;

/** The amounts that tasks hold on one node. */
public interface Holding {

  /** Returns the position of the node. */
  int node();

  /** Returns the indices of the GPUs. */
  int[] gpus();

  /** Returns the share of each GPU, in thousandths. */
  int share();

  /** Returns the device memory on each GPU, in bytes. */
  long gpuMemory();

  /** Returns the CPU, in millicores. */
  long cpu();

  /** Returns the host memory, in bytes. */
  long memory();

  /** Returns a holding of whole GPUs, and of nothing else of the node. */
  static Holding ofGpus(int node, int... gpus) {
    return new Amounts(node, gpus, 1000, 0, 0, 0);
  }

  /** A holding in numbers. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Amounts(int node, int[] gpus, int share, long gpuMemory, long cpu, long memory)
      implements Holding {

    /** Returns true if the other is on the same node, with the same amounts of each of its GPUs. */
    boolean isLike(Amounts other) {
      return node == other.node && share == other.share && gpuMemory == other.gpuMemory;
    }

    /** Returns the sum of this and another that is like it. */
    Amounts and(Amounts other) {
      int[] both = Arrays.copyOf(gpus, gpus.length + other.gpus.length);
      System.arraycopy(other.gpus, 0, both, gpus.length, other.gpus.length);
      return new Amounts(node, both, share, gpuMemory, cpu + other.cpu, memory + other.memory);
    }
  }
}
