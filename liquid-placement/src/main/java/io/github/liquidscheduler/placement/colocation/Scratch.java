package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.placement.capacity.SharedGpus;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists that one decision after the other uses, so that candidates leave no garbage.
 *
 * @param candidates the candidates
 * @param groups the GPUs of each candidate
 * @param judgements what the rule says of each candidate
 */
record Scratch(
    List<SharedGpu> candidates, List<SharedGpus.Group> groups, CandidateScores judgements) {

  static Scratch empty() {
    return new Scratch(new ArrayList<>(), new ArrayList<>(), new CandidateScores(0));
  }
}
