package io.github.liquidscheduler.simulator.report;

import java.util.List;

/**
 * GPUs that one job held.
 *
 * @param job the position of the job in the trace
 * @param start from when, in seconds since the start of the trace
 * @param end until when
 * @param gpus the positions of the GPUs in the cluster, ascending
 */
record Allocation(int job, long start, long end, List<Integer> gpus) {
  Allocation {
    gpus = List.copyOf(gpus);
  }
}
