package io.github.liquidscheduler.scheduler.transfer;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.data.CopyKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is read where, by how many of some scenarios. */
final class ExpectedReads {
  private final Map<CopyKey, List<Read>> firstReads = new LinkedHashMap<>();
  private final int scenarios;

  /**
   * What is expected of a copy.
   *
   * @param copy the copy
   * @param dataset its data set
   * @param job the job that reads it first in the first scenario in which one does
   * @param probability the part of scenarios in which somebody reads it
   * @param seconds when it has to be there, in seconds from the present: in a quarter of the
   *     scenarios in which it is read, it is read before that
   * @param gpus how many GPUs idle while it is read, on average
   * @param nodes on how many nodes that job reads the data set
   * @param isOpen whether jobs that come meanwhile may take the place of a reader
   */
  record Expected(
      CopyKey copy,
      Dataset dataset,
      JobId job,
      double probability,
      double seconds,
      double gpus,
      int nodes,
      boolean isOpen) {}

  private ExpectedReads(int scenarios) {
    this.scenarios = scenarios;
  }

  /** Returns what scenarios have in common. */
  static ExpectedReads of(List<List<Read>> scenarios) {
    ExpectedReads reads = new ExpectedReads(scenarios.size());
    scenarios.forEach(reads::add);
    return reads;
  }

  private void add(List<Read> scenario) {
    Set<CopyKey> seen = new HashSet<>();
    for (Read read : scenario) {
      if (seen.add(read.copy())) {
        firstReads.computeIfAbsent(read.copy(), each -> new ArrayList<>()).add(read);
      }
    }
  }

  /** Returns in which part of the scenarios somebody reads a copy. */
  double probability(CopyKey copy) {
    return (double) firstReads.getOrDefault(copy, List.of()).size() / scenarios;
  }

  /** Returns what is expected of each copy, what is needed first before the rest. */
  List<Expected> inOrder() {
    return firstReads.values().stream()
        .map(this::expected)
        .sorted(
            Comparator.comparingDouble(Expected::seconds)
                .thenComparing(each -> each.copy().node().value())
                .thenComparing(each -> each.copy().dataset()))
        .toList();
  }

  private Expected expected(List<Read> reads) {
    List<Read> byTime = reads.stream().sorted(Comparator.comparingDouble(Read::seconds)).toList();
    Read first = reads.getFirst();
    return new Expected(
        first.copy(),
        first.dataset(),
        first.job(),
        (double) reads.size() / scenarios,
        byTime.get(byTime.size() / 4).seconds(),
        reads.stream().mapToDouble(Read::gpus).average().orElse(0),
        first.nodes(),
        reads.stream().anyMatch(Read::isOpen));
  }
}
