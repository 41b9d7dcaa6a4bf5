package io.github.liquidscheduler.lab.reference.fgd;

import java.util.Comparator;

/**
 * What a pod requests.
 *
 * @param cpu thousandths of a core
 * @param memory MiB
 * @param gpus GPUs, all on one node; 0 if it needs none
 * @param share thousandths of each of them; below 1,000 only of one GPU
 */
record PodRequest(long cpu, long memory, int gpus, int share) {

  /** A whole GPU. */
  static final int WHOLE = 1000;

  /** The order in which the original breaks ties between kinds that are equally frequent. */
  static final Comparator<PodRequest> ORDER =
      Comparator.comparingLong(PodRequest::cpu)
          .thenComparingInt(PodRequest::share)
          .thenComparingInt(PodRequest::gpus);

  boolean isShare() {
    return gpus == 1 && share < WHOLE;
  }

  /** Returns the thousandths of all its GPUs. */
  int gpuTotal() {
    return gpus * share;
  }

  /** Returns the same without its memory, by which the original tells kinds apart. */
  PodRequest kind() {
    return new PodRequest(cpu, 0, gpus, share);
  }
}
