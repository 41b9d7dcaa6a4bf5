package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.prediction.Observations;
import java.util.List;

/** Admits every co-location that fits. */
public final class AnyCoRunner implements ColocationPolicy {

  @Override
  public String name() {
    return "any";
  }

  @Override
  public void score(List<SharedGpu> candidates, Observations observations, CandidateScores scores) {
    for (int i = 0; i < candidates.size(); i++) {
      scores.admit(i, 0, 1);
    }
  }

  @Override
  public double costOfEmpty() {
    return 0;
  }
}
