package io.github.liquidscheduler.cli.sharing;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharedGpu.CoRunner;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.simulator.slowdown.SlowdownTable;
import java.util.List;
import java.util.Optional;

/**
 * A policy that also rejects pairs missing in a table, such as those that do not fit into a GPU's
 * memory: the table has no memory figures.
 */
record FittingPairs(ColocationPolicy policy, SlowdownTable table) implements ColocationPolicy {

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
    Workload workload = candidate.candidateJob().profile().workload();
    for (CoRunner resident : candidate.residents()) {
      if (table.retained(candidate.gpu(), workload, resident.profile().workload()).isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
