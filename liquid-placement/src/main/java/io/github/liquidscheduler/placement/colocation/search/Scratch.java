package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.CandidateScores;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists that one decision after the other uses, so that candidates leave no garbage.
 *
 * @param candidates the candidates
 * @param groups the GPUs of each candidate
 * @param scores what the policy says of each candidate
 */
record Scratch(List<SharedGpu> candidates, List<SharedGpus.Group> groups, CandidateScores scores) {

  static Scratch empty() {
    return new Scratch(new ArrayList<>(), new ArrayList<>(), new CandidateScores(0));
  }
}
