package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;

/**
 * A predictor that knows utilisations: jobs run at full speed until their utilisations add up to 1,
 * and share the GPU from then on. Its intervals are as wide as it is told.
 */
public record KnownLoads(double error) implements InterferencePredictor {

  public static KnownLoads sure() {
    return new KnownLoads(0);
  }

  /** Returns the profile of a job whose family says its utilisation in percent, such as u40. */
  public static ColocationProfile profile(JobSpec job, GpuModel gpu) {
    double utilization = Integer.parseInt(job.workload().family().substring(1)) / 100.0;
    return new ColocationProfile(
        job.workload(), 1, utilization, Double.NaN, ColocationProfile.of(job).memoryBytes());
  }

  @Override
  public Prediction retainedSpeed(ColocationQuery colocation) {
    double load = colocation.victim().utilization();
    for (ColocationProfile other : colocation.coRunners()) {
      load += other.utilization();
    }
    double speed = 1 / Math.max(1, load);
    return colocation.coRunners().isEmpty()
        ? Prediction.certain(1, Provenance.MEASURED)
        : new Prediction(
            speed, Math.max(0, speed - error), Math.min(1, speed + error), Provenance.PRIOR);
  }
}
