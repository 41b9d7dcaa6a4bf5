package io.github.liquidscheduler.examples.extensions;

import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;

/**
 * A co-location policy: jobs share a GPU where 2 GiB of its memory stay free, the fullest first.
 */
public final class MemoryToSpare implements ColocationPolicy {
  private static final Memory SPARE = Memory.ofGib(2);

  @Override
  public String name() {
    return "memory-to-spare";
  }

  @Override
  public void score(List<SharedGpu> candidates, Observations observations, CandidateScores scores) {
    for (int i = 0; i < candidates.size(); i++) {
      Memory left = candidates.get(i).memoryLeft();
      if (left.compareTo(SPARE) >= 0) {
        scores.admit(i, (double) left.bytes(), 1);
      }
    }
  }

  @Override
  public double costOfEmpty() {
    return Double.MAX_VALUE;
  }
}
