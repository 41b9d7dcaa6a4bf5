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

/** The expected reads of copies over a number of scenarios. */
final class ExpectedReads {
  private final Map<CopyKey, List<Read>> firstReads = new LinkedHashMap<>();
  private final int scenarios;

  /**
   * An expected read.
   *
   * @param job the first reader in the first scenario with one
   * @param probability the fraction of scenarios in which the copy is read
   * @param seconds the lower quartile of the read times, in seconds from now
   * @param gpus the mean number of GPUs that idle during the read
   * @param nodes the number of nodes on which that job reads the data set
   * @param isOpen whether jobs still to come may take the place of a reader
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

  /** Returns the reads of all scenarios. */
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

  /** Returns the fraction of scenarios in which a copy is read. */
  double probability(CopyKey copy) {
    return (double) firstReads.getOrDefault(copy, List.of()).size() / scenarios;
  }

  /** Returns the expected reads, earliest first. */
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
