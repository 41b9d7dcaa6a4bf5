package io.github.liquidscheduler.cli.sharing;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.slowdown.MeasuredJobs;
import io.github.liquidscheduler.simulator.slowdown.SlowdownTable;
import java.util.OptionalDouble;

/**
 * Rules of sharing for jobs with measured slowdowns. Pairs missing in the table are not co-located:
 * they may not fit, and their slowdown is unknown.
 */
public record SharingRules(MeasuredJobs jobs) {

  /** Two jobs that lose less than half of their speeds do more than one after the other. */
  private static final double MAX_SLOWDOWN = 0.48;

  /** For pairs that are never asked about: too little for anybody. */
  private static final double UNMEASURED = 0.02;

  /** Shares where a predictor expects the least slowdown. */
  public Colocation.Builder predicted(InterferencePredictor predictor) {
    PredictedSlowdownRule slowdown =
        PredictedSlowdownRule.builder(predictor).maxSlowdown(MAX_SLOWDOWN).build();
    return Colocation.builder(new FittingPairs(slowdown, jobs.table()))
        .profiles(jobs::profile)
        .tolerance(0);
  }

  /** Shares by the policy of a system that predicts no interference, told how busy jobs are. */
  public Colocation.Builder oblivious(ColocationPolicy policy) {
    return Colocation.builder(new FittingPairs(policy, jobs.table()))
        .profiles(this::loadedProfile)
        .tolerance(0);
  }

  /** Returns a predictor that knows every pair, and is sure. */
  public InterferencePredictor oracle() {
    return new Oracle(jobs.table());
  }

  /**
   * Returns the measurement of a job alone with its utilisation, else with the utilisation that
   * explains its slowdown beside a job like it: nothing is lost until two need more than the whole
   * GPU, so a job that retains {@code s} of its speed uses {@code 1 / (2 s)} of it. Jobs of which
   * two do not fit use all of it. Without measurements, as in Gavel's table, this is more than
   * other policies are told.
   */
  private ColocationProfile loadedProfile(JobSpec job, GpuModel gpu) {
    ColocationProfile alone = jobs.profile(job, gpu);
    return Double.isNaN(alone.utilization()) ? withLoad(alone, gpu) : alone;
  }

  private ColocationProfile withLoad(ColocationProfile alone, GpuModel gpu) {
    OptionalDouble beside = jobs.table().retained(gpu, alone.workload(), alone.workload());
    double load = beside.isPresent() ? Math.min(1, 1 / (2 * beside.getAsDouble())) : 1;
    return new ColocationProfile(
        alone.workload(),
        alone.isolatedRate(),
        load,
        alone.memoryBandwidthUtilization(),
        alone.memoryBytes());
  }

  /** The measured retained speed; of several co-runners the product. */
  private record Oracle(SlowdownTable table) implements InterferencePredictor {
    @Override
    public Prediction retainedSpeed(ColocationQuery colocation) {
      double product = 1;
      for (ColocationProfile other : colocation.coRunners()) {
        product *=
            table
                .retained(colocation.gpu(), colocation.victim().workload(), other.workload())
                .orElse(UNMEASURED);
      }
      return Prediction.certain(product, Provenance.MEASURED);
    }
  }
}
