package io.github.liquidscheduler.estimator.workload;

/**
 * The measurements of one class on one GPU model.
 *
 * @param isolatedRate the iterations per second alone, or NaN
 * @param asVictim how it was slowed down beside others
 * @param asAggressor how others were slowed down beside it
 */
record ClassRecord(double isolatedRate, Deviations asVictim, Deviations asAggressor) {

  /** Of a class that was never measured. */
  static final ClassRecord EMPTY = new ClassRecord(Double.NaN, Deviations.NONE, Deviations.NONE);

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
    return new ClassRecord(rate, asVictim, asAggressor);
  }

  /** Returns this record with what was measured beside others. */
  ClassRecord withMeasured(Deviations victim, Deviations aggressor) {
    return new ClassRecord(isolatedRate, victim, aggressor);
  }
}
