package io.github.liquidscheduler.simulator.report;

import java.util.List;

/**
 * The details of one run in a report. Jobs are named by their positions in the trace, times are in
 * seconds since its start.
 */
record RunDetails(
    List<Allocation> allocations,
    List<SizeChange> sizeChanges,
    List<List<WaitingSample>> samples,
    List<Integer> preemptions,
    long end,
    List<RoundBar> rounds) {

  /** Copies the lists. */
  RunDetails {
    allocations = List.copyOf(allocations);
    sizeChanges = List.copyOf(sizeChanges);
    samples = samples.stream().map(List::copyOf).toList();
    preemptions = List.copyOf(preemptions);
    rounds = List.copyOf(rounds);
  }
}
