package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.prediction.ColocationProfile;
import java.util.Objects;

/**
 * A job on a shared GPU, as a policy sees it.
 *
 * @param profile its workload and its load of the GPU
 */
public record CoRunner(Sharing sharing, ColocationProfile profile) {

  /** Checks that nothing is null. */
  public CoRunner {
    Objects.requireNonNull(sharing, "sharing");
    Objects.requireNonNull(profile, "profile");
  }

  /** Returns the utilisation alone; 1 if unknown. */
  public double utilization() {
    double known = profile.utilization();
    return Double.isNaN(known) ? 1 : known;
  }

  /** Returns true if it was promised a floor. */
  public boolean isGuaranteed() {
    return sharing instanceof Sharing.Guaranteed;
  }
}
