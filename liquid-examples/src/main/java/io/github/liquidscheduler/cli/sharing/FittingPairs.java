package io.github.liquidscheduler.cli.sharing;

import io.github.liquidscheduler.placement.sharing.Judgements;
import io.github.liquidscheduler.placement.sharing.Occupant;
import io.github.liquidscheduler.placement.sharing.SharedGpu;
import io.github.liquidscheduler.placement.sharing.SharingRule;
import java.util.List;

/**
 * A rule that also knows which pairs do not fit into the memory of a GPU: the measurements say
 * that, but not how much memory jobs hold.
 */
record FittingPairs(SharingRule rule, MeasuredPairs pairs) implements SharingRule {

  @Override
  public String name() {
    return rule.name();
  }

  @Override
  public double costOfEmpty() {
    return rule.costOfEmpty();
  }

  @Override
  public void judge(List<SharedGpu> candidates, Judgements judgements) {
    rule.judge(candidates, judgements);
    for (int i = 0; i < candidates.size(); i++) {
      if (!fits(candidates.get(i))) {
        judgements.refuse(i);
      }
    }
  }

  private boolean fits(SharedGpu candidate) {
    for (Occupant resident : candidate.residents()) {
      if (pairs
          .retained(candidate.gpu(), candidate.newcomer().profile(), resident.profile())
          .isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
