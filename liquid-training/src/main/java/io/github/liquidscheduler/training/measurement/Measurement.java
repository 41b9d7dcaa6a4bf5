package io.github.liquidscheduler.training.measurement;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;

/** The part of its speed, in (0, 1.05], that a job kept beside another on a GPU; NaN if unknown. */
public record Measurement(
    GpuModel gpu, ColocationProfile victim, ColocationProfile coRunner, double retainedSpeed) {

  /**
   * Checks the speed.
   *
   * @throws IllegalArgumentException if a measured speed is not in (0, 1.05]
   */
  public Measurement {
    if (retainedSpeed <= 0 || retainedSpeed > InterferencePredictor.MAX_RETAINED_SPEED) {
      throw new IllegalArgumentException(
          "a retained speed must be in (0, 1.05], but was " + retainedSpeed);
    }
  }

  /** Returns the question that this measurement answers. */
  public ColocationQuery colocation() {
    return new ColocationQuery(gpu, victim, List.of(coRunner));
  }

  /** Returns true if the speed was measured. */
  public boolean isMeasured() {
    return !Double.isNaN(retainedSpeed);
  }

  /** Returns the class of the victim. */
  public WorkloadClass victimClass() {
    return WorkloadClass.of(victim.workload());
  }

  /** Returns the class of the co-runner. */
  public WorkloadClass coRunnerClass() {
    return WorkloadClass.of(coRunner.workload());
  }
}
