package io.github.liquidscheduler.cli.sharing;

import io.github.liquidscheduler.placement.colocation.CandidateScores;
import io.github.liquidscheduler.placement.colocation.CoRunner;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import java.util.List;

/**
 * A rule that also knows which pairs do not fit into the memory of a GPU: the measurements say
 * that, but not how much memory jobs hold.
 */
record FittingPairs(ColocationPolicy rule, MeasuredPairs pairs) implements ColocationPolicy {

  @Override
  public String name() {
    return rule.name();
  }

  @Override
  public double costOfEmpty() {
    return rule.costOfEmpty();
  }

  @Override
  public void judge(List<SharedGpu> candidates, CandidateScores judgements) {
    rule.judge(candidates, judgements);
    for (int i = 0; i < candidates.size(); i++) {
      if (!fits(candidates.get(i))) {
        judgements.refuse(i);
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
