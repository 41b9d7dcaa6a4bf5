package io.github.liquidscheduler.elastic.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.lease.Lease;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a history's workers really read and what became of it. A model is the list of the
 * mini-batches that were applied to it.
 */
final class TrainingBooks {

  /** A mini-batch as it was tried in one topology. */
  record Attempt(long topology, long step) {}

  private final Partitioning partitioning;
  private final Map<Attempt, Map<WorkerId, SampleRange>> reads = new HashMap<>();
  private final Map<Long, TopologyEpoch> topologies = new HashMap<>();

  TrainingBooks(Partitioning partitioning) {
    this.partitioning = partitioning;
  }

  void read(WorkerId worker, Attempt attempt, SampleRange batch) {
    reads.computeIfAbsent(attempt, none -> new LinkedHashMap<>()).put(worker, batch);
  }

  /** Each number stands for one topology, begun by a leader that held the lease at that instant. */
  void heardOf(TopologyEpoch topology, long term, Optional<Lease> held) {
    TopologyEpoch first = topologies.putIfAbsent(topology.number(), topology);
    if (first == null) {
      assertThat(held.map(Lease::token)).contains(term);
    } else {
      assertThat(topology).isEqualTo(first);
    }
  }

  /** The model has seen each sample exactly once in each epoch. */
  void checkModel(List<Attempt> model, int epochs) {
    int[][] seen = new int[epochs][(int) partitioning.samples()];
    for (Attempt attempt : model) {
      for (SampleRange batch : reads.getOrDefault(attempt, Map.of()).values()) {
        for (long sample = batch.from(); sample < batch.to(); sample++) {
          seen[batch.epoch()][(int) sample]++;
        }
      }
    }
    for (int[] epoch : seen) {
      assertThat(epoch).containsOnly(1);
    }
  }

  /** What two workers have read is what the ledger says may have been seen twice. */
  void checkReport(List<SampleRange> mayBeSeenTwice) {
    Map<List<Long>, Set<WorkerId>> readers = new HashMap<>();
    reads
        .values()
        .forEach(
            attempt ->
                attempt.forEach(
                    (worker, batch) ->
                        samples(batch)
                            .forEach(
                                sample ->
                                    readers
                                        .computeIfAbsent(sample, none -> new HashSet<>())
                                        .add(worker))));
    Set<List<Long>> reported = new HashSet<>();
    mayBeSeenTwice.forEach(range -> reported.addAll(samples(range)));
    readers.forEach(
        (sample, workers) -> {
          if (workers.size() > 1) {
            assertThat(reported).as("read by %s", workers).contains(sample);
          }
        });
  }

  private static Set<List<Long>> samples(SampleRange range) {
    Set<List<Long>> samples = new HashSet<>();
    for (long sample = range.from(); sample < range.to(); sample++) {
      samples.add(List.of((long) range.epoch(), sample));
    }
    return samples;
  }
}
