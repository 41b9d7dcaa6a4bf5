package io.github.liquidscheduler.elastic.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What the workers of a job printed: which samples they read and which mini-batches they applied.
 */
final class PrintedTraining {
  private final Map<String, Spawned> workers;
  private final Set<String> applied = new HashSet<>();

  PrintedTraining(Map<String, Spawned> workers) {
    this.workers = new TreeMap<>(workers);
    finished()
        .forEach(worker -> worker.printed("applied").forEach(words -> applied.add(attempt(words))));
  }

  private Collection<Spawned> finished() {
    return workers.values().stream()
        .filter(worker -> worker.lines().contains("end FINISHED"))
        .toList();
  }

  /** The mini-batches that were applied have each sample once. */
  void checkEachSampleCountsOnce(int samples) {
    int[] counts = new int[samples];
    for (Spawned worker : workers.values()) {
      for (String[] read : worker.printed("read")) {
        if (applied.contains(attempt(read))) {
          samples(read).forEach(sample -> counts[sample]++);
        }
      }
    }
    assertThat(counts).containsOnly(1);
  }

  /** What two workers have read is what was reported. */
  void checkReport(List<String[]> twice) {
    Set<Integer> reported = new HashSet<>();
    twice.forEach(
        words -> {
          for (int at = Integer.parseInt(words[2]); at < Integer.parseInt(words[3]); at++) {
            reported.add(at);
          }
        });
    Map<Integer, Set<String>> readers = new HashMap<>();
    workers.forEach(
        (name, worker) ->
            worker
                .printed("read")
                .forEach(
                    words ->
                        samples(words)
                            .forEach(
                                sample ->
                                    readers
                                        .computeIfAbsent(sample, none -> new HashSet<>())
                                        .add(name))));
    readers.forEach(
        (sample, names) -> {
          if (names.size() > 1) {
            assertThat(reported).as("sample read by %s", names).contains(sample);
          }
        });
  }

  private static String attempt(String[] words) {
    return words[1] + "/" + words[2];
  }

  private static List<Integer> samples(String[] read) {
    return IntStream.range(Integer.parseInt(read[4]), Integer.parseInt(read[5])).boxed().toList();
  }
}
