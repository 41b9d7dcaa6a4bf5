package io.github.liquidscheduler.placement.colocation;

import java.util.List;

/** Admits every co-location that there is room for. */
public final class AnyCoRunner implements ColocationPolicy {

  @Override
  public String name() {
    return "any";
  }

  @Override
  public void judge(List<SharedGpu> candidates, CandidateScores scores) {
    for (int i = 0; i < candidates.size(); i++) {
      scores.allow(i, 0, 1);
    }
  }

  @Override
  public double costOfEmpty() {
    return 0;
  }
}
