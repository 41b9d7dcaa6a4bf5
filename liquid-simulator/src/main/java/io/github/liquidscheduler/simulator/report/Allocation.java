package io.github.liquidscheduler.simulator.report;

import java.util.List;

/** The positions of the GPUs, ascending, that a job held, and when, in seconds of the trace. */
record Allocation(int job, long start, long end, List<Integer> gpus) {
  Allocation {
    gpus = List.copyOf(gpus);
  }
}
