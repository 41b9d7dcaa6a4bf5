package io.github.liquidscheduler.rounds;

import io.github.liquidscheduler.cluster.GpuId;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sequence of tasks on each GPU, without times (Hare, HPDC'22, section 4).
 *
 * @param sequences the tasks of each GPU in the order in which they run there; no task comes twice
 */
public record GpuSequencePlan(Map<GpuId, List<RoundTask>> sequences) {

  /**
   * Checks and copies the sequences, keeping their order.
   *
   * @throws IllegalArgumentException if a task comes twice
   */
  public GpuSequencePlan {
    Map<GpuId, List<RoundTask>> copy = new LinkedHashMap<>();
    Set<RoundTask> seen = new HashSet<>();
    sequences.forEach(
        (gpu, tasks) -> {
          for (RoundTask task : tasks) {
            if (!seen.add(task)) {
              throw new IllegalArgumentException(
                  "a plan must run a task once, but runs %s twice".formatted(task));
            }
          }
          copy.put(gpu, List.copyOf(tasks));
        });
    sequences = Collections.unmodifiableMap(copy);
  }
}
