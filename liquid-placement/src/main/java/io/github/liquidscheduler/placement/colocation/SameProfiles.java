package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.prediction.ColocationProfile;
import java.util.HashMap;
import java.util.Map;

/**
 * Equal profiles as one object, so that predictors that know a profile by its identity say of all
 * jobs that are the same to others what they remember of one. What is forgotten is another object
 * afterwards. Not thread-safe.
 */
public final class SameProfiles {

  private static final int MOST = 16_384;

  // Never iterated.
  private final Map<ColocationProfile, ColocationProfile> known = new HashMap<>();

  /** Makes a memory that knows no profile. */
  public SameProfiles() {}

  /** Returns the profile that stands for all equal ones. */
  public ColocationProfile of(ColocationProfile profile) {
    if (known.size() >= MOST) {
      known.clear();
    }
    return known.computeIfAbsent(profile, first -> first);
  }
}
