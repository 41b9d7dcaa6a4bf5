package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.prediction.ColocationProfile;
import java.util.HashMap;
import java.util.Map;

/**
 * Interns equal profiles, so that predictors that remember answers by identity reuse them for equal
 * jobs. Entries are forgotten now and then. Not thread-safe.
 */
public final class SameProfiles {

  private static final int MOST = 16_384;

  // Never iterated.
  private final Map<ColocationProfile, ColocationProfile> known = new HashMap<>();

  /** Makes an empty pool. */
  public SameProfiles() {}

  /** Returns the profile that stands for all equal ones. */
  public ColocationProfile of(ColocationProfile profile) {
    if (known.size() >= MOST) {
      known.clear();
    }
    return known.computeIfAbsent(profile, first -> first);
  }
}
