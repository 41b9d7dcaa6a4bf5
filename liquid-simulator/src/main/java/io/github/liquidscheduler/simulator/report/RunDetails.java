package io.github.liquidscheduler.simulator.report;

import java.util.List;

/**
 * The details of one run in a report. Jobs are named by their positions in the trace, times are in
 * seconds since its start.
 *
 * @param allocations the GPUs held by each job, in order of start
 * @param sizeChanges the size changes of running jobs
 * @param samples the reasons of waiting, by job, in order of time
 * @param preemptions the number of pre-emptions, by job
 * @param end the end of the run
 * @param rounds the tasks of rounds on each GPU; empty if jobs have no rounds
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
