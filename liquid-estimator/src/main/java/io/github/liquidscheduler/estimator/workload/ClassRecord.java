package io.github.liquidscheduler.estimator.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one class on one GPU model.
 *
 * @param isolatedRate the iterations per second alone, or NaN
 * @param asVictim how it was slowed down beside others
 * @param asAggressor how others were slowed down beside it
 * @param hasLearned whether a co-location was noted since the history was made or read
 * @param residuals what predictions for it beside another class were off by; never changed
 */
record ClassRecord(
    double isolatedRate,
    Deviations asVictim,
    Deviations asAggressor,
    boolean hasLearned,
    Map<WorkloadClass, Residual> residuals) {

  /** Of a class that was never measured. */
  static final ClassRecord EMPTY =
      new ClassRecord(Double.NaN, Deviations.NONE, Deviations.NONE, false, Map.of());

  /** How far retained speeds were from the GPU model's mean, as their sum and their number. */
  record Deviations(double sum, int count) {
    static final Deviations NONE = new Deviations(0, 0);

    Deviations plus(double deviation) {
      return new Deviations(sum + deviation, count + 1);
    }

    /** Returns the mean, drawn to 0 if little was seen, or NaN if nothing was. */
    double mean() {
      return count == 0 ? Double.NaN : sum / (count + 1);
    }
  }

  ClassRecord withIsolatedRate(double rate) {
    return new ClassRecord(rate, asVictim, asAggressor, hasLearned, residuals);
  }

  /** Returns this record with what was learned: both at once. */
  ClassRecord withLearned(Deviations victim, Deviations aggressor) {
    return new ClassRecord(isolatedRate, victim, aggressor, true, residuals);
  }

  ClassRecord withResidual(WorkloadClass aggressor, Residual residual) {
    Map<WorkloadClass, Residual> more = new LinkedHashMap<>(residuals);
    more.put(aggressor, residual);
    return new ClassRecord(isolatedRate, asVictim, asAggressor, hasLearned, more);
  }

  /** Returns what predictions for this class beside another were off by; nothing at first. */
  @Nullable Residual residual(WorkloadClass aggressor) {
    return residuals.isEmpty() ? null : residuals.get(aggressor);
  }

  /** Returns the numbers of both roles. */
  List<Double> toNumbers() {
    return List.of(
        asVictim.sum(), (double) asVictim.count(), asAggressor.sum(), (double) asAggressor.count());
  }
}
