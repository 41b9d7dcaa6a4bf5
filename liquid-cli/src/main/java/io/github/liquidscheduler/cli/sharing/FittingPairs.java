package io.github.liquidscheduler.cli.sharing;

import io.github.liquidscheduler.placement.colocation.CandidateScores;
import io.github.liquidscheduler.placement.colocation.CoRunner;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import java.util.List;
import java.util.Optional;

/**
 * A policy that also knows which pairs do not fit into the memory of a GPU: the measurements say
 * that, but not how much memory jobs hold.
 */
record FittingPairs(ColocationPolicy policy, GavelPairs pairs) implements ColocationPolicy {

  @Override
  public String name() {
    return policy.name();
  }

  @Override
  public double costOfEmpty() {
    return policy.costOfEmpty();
  }

  @Override
  public Optional<InterferencePredictor> predictor() {
    return policy.predictor();
  }

  @Override
  public void score(List<SharedGpu> candidates, Observations observations, CandidateScores scores) {
    policy.score(candidates, observations, scores);
    for (int i = 0; i < candidates.size(); i++) {
      if (!fits(candidates.get(i))) {
        scores.reject(i);
      }
    }
  }

  private boolean fits(SharedGpu candidate) {
    for (CoRunner resident : candidate.residents()) {
      if (pairs
          .retained(candidate.gpu(), candidate.candidateJob().profile(), resident.profile())
          .isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
