package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists reused by successive decisions, so that candidates leave no garbage.
 *
 * @param groups the GPUs of each candidate
 * @param scores the scores of the candidates
 */
record Scratch(List<SharedGpu> candidates, List<SharedGpus.Group> groups, CandidateScores scores) {

  static Scratch empty() {
    return new Scratch(new ArrayList<>(), new ArrayList<>(), new CandidateScores(0));
  }
}
