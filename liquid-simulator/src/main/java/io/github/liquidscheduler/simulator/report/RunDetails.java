package io.github.liquidscheduler.simulator.report;

import java.util.List;

/**
 * What a report shows of one run beside its figures. Jobs are named by their positions in the
 * trace, times are in seconds since its start.
 *
 * @param allocations who held which GPUs, in order of start
 * @param sizeChanges the changes of size of running jobs
 * @param samples by job, why it waited, at moments in order
 * @param preemptions by job, how often it was pre-empted
 * @param end when the run ended
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
