package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Arrays;
import java.util.List;

/**
 * The columns of the interference model: a victim and one co-runner on a GPU model, as one row. The
 * first columns are context; the last {@value #LOADS} are the co-runner's load and its interaction
 * with the victim's, in which a model's answer must never rise. What is unknown takes the column's
 * mean, which the model file states.
 */
public final class PairFeatures {
  /** How many of the last columns are load. */
  public static final int LOADS = 5;

  /** How many columns before those of load are estimates. */
  public static final int ESTIMATES = 2;

  /** The column of the GPU model's mean retained speed. */
  public static final int MEAN_RETAINED = 16;

  /** The column of what additive effects of both classes suggest. */
  public static final int ADDED_EFFECTS = 24;

  private static final List<String> NAMES =
      List.of(
          "victim_log_rate",
          "victim_low_gain",
          "victim_high_gain",
          "victim_host_load",
          "co_log_rate",
          "co_low_gain",
          "co_high_gain",
          "co_host_load",
          "gpu_log_teraflops",
          "gpu_log_bandwidth",
          "gpu_log_memory",
          "log_rate_ratio",
          "victim_sensitivity",
          "victim_sensitivity_known",
          "co_pressure",
          "co_pressure_known",
          "gpu_mean_retained",
          "victim_utilization",
          "victim_memory_bandwidth",
          "victim_memory",
          "victim_half_precision",
          "co_half_precision",
          "victim_gpu_share",
          "co_gpu_share",
          "added_effects",
          "known_side_median",
          "co_utilization",
          "overloaded_utilization",
          "co_memory_bandwidth",
          "overloaded_memory_bandwidth",
          "co_memory");

  private static final int SENSITIVITY = NAMES.indexOf("victim_sensitivity");
  private static final int PRESSURE = NAMES.indexOf("co_pressure");

  private static final double LEAST = 0.02;

  private PairFeatures() {}

  /** Returns the number of columns. */
  public static int width() {
    return NAMES.size();
  }

  /** Returns the columns, without mean and scale. */
  public static List<Feature> columns() {
    return NAMES.stream().map(name -> Feature.plain(name, "1")).toList();
  }

  /** Returns one row; unknown numbers are NaN. */
  public static double[] row(
      ColocationProfile victim, ColocationProfile coRunner, GpuModel gpu, ClassHistory history) {
    double[] row = new double[width()];
    write(
        new JobVector(victim, gpu, history),
        new JobVector(coRunner, gpu, history),
        new GpuVector(gpu, history),
        row);
    return row;
  }

  /** Says in a row what is known of the victim's sensitivity; NaN if nothing. */
  public static void setSensitivity(double[] row, double sensitivity) {
    setKnown(row, SENSITIVITY, sensitivity);
  }

  /** Says in a row what is known of the pressure of the co-runner; NaN if nothing. */
  public static void setPressure(double[] row, double pressure) {
    setKnown(row, PRESSURE, pressure);
  }

  /** Returns true if a row says something of the history of both sides. */
  public static boolean isFamiliar(double[] row) {
    return row[SENSITIVITY + 1] > 0 && row[PRESSURE + 1] > 0;
  }

  /** Hides the estimates in a row that is learned from: they know what is to be learned. */
  public static void hideEstimates(double[] row) {
    int first = width() - LOADS - ESTIMATES;
    Arrays.fill(row, first, first + ESTIMATES, Double.NaN);
  }

  private static void setKnown(double[] row, int column, double value) {
    boolean known = !Double.isNaN(value);
    row[column] = known ? value : 0;
    row[column + 1] = known ? 1 : 0;
  }

  /** Writes the row of a victim and a co-runner; unknown numbers are NaN. */
  public static void write(JobVector victim, JobVector other, GpuVector gpu, double[] row) {
    row[0] = victim.logRate;
    row[1] = victim.lowGain;
    row[2] = victim.highGain;
    row[3] = victim.hostLoad;
    row[4] = other.logRate;
    row[5] = other.lowGain;
    row[6] = other.highGain;
    row[7] = other.hostLoad;
    row[8] = gpu.logTeraflops;
    row[9] = gpu.logBandwidth;
    row[10] = gpu.logMemory;
    row[11] = victim.logRate - other.logRate;
    setSensitivity(row, victim.sensitivity());
    setPressure(row, other.pressure());
    row[MEAN_RETAINED] = gpu.mean;
    row[17] = victim.utilization;
    row[18] = victim.bandwidth;
    row[19] = victim.memory;
    row[20] = victim.halfPrecision;
    row[21] = other.halfPrecision;
    row[22] = victim.gpuShare;
    row[23] = other.gpuShare;
    row[ADDED_EFFECTS] = addedEffects(victim.effect, other.effect, gpu.usual);
    row[25] = knownSideMedian(victim.effect, other.effect, gpu.usual);
    row[26] = other.utilization;
    row[27] = Math.max(0, victim.utilization + other.utilization - 1);
    row[28] = other.bandwidth;
    row[29] = Math.max(0, victim.bandwidth + other.bandwidth - 1);
    row[30] = other.memory;
  }

  private static double addedEffects(
      ClassEffects.Effect victim, ClassEffects.Effect other, double usual) {
    return Math.clamp(usual + victim.asVictim() + other.asAggressor(), LEAST, 1);
  }

  private static double knownSideMedian(
      ClassEffects.Effect victim, ClassEffects.Effect other, double usual) {
    if (!Double.isNaN(victim.victimMedian())) {
      return victim.victimMedian();
    }
    return Double.isNaN(other.aggressorMedian()) ? usual : other.aggressorMedian();
  }

  /** A GPU model as numbers. */
  public static final class GpuVector {
    private final GpuModel gpu;
    private final double logTeraflops;
    private final double logBandwidth;
    private final double logMemory;
    private final double mean;
    private final double usual;

    /** Works out the numbers of a GPU model by what is known. */
    public GpuVector(GpuModel gpu, ClassHistory history) {
      this.gpu = gpu;
      GpuFacts facts = GpuFacts.of(gpu);
      logTeraflops = StrictMath.log(facts.teraflops());
      logBandwidth = StrictMath.log(facts.bandwidth());
      logMemory = StrictMath.log(facts.memory());
      mean = history.mean(gpu);
      usual = history.effects().usual(gpu, history);
    }

    /** Returns the GPU model. */
    public GpuModel gpu() {
      return gpu;
    }
  }
}
