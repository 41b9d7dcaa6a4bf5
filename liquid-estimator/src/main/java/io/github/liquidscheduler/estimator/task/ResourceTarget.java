package io.github.liquidscheduler.estimator.task;

import java.util.Arrays;
import java.util.Optional;

/**
 * A quantity that is estimated. Amounts are learned as {@code log(1 + amount)}, because errors of
 * amounts are ratios; fractions are learned as they are. {@link #byDefault()} is what is answered
 * when nothing is known (the released Liquid answers the same).
 */
public enum ResourceTarget {
  /** Largest device memory on each GPU, in bytes. */
  GPU_MEMORY("gpu_memory_bytes", false, 8192.0 * (1 << 20)),
  /** Mean GPU utilisation, from 0 to 1. */
  GPU_UTILIZATION("gpu_utilization", true, 1),
  /** Standard deviation of the GPU utilisation, from 0 to 1. */
  GPU_UTILIZATION_DEVIATION("gpu_utilization_std", true, 0),
  /** Largest CPU use, in cores. */
  CPU("cpu_cores", false, 4),
  /** Largest host memory, in bytes. */
  HOST_MEMORY("host_memory_bytes", false, 4096.0 * (1 << 20)),
  /** Mean rate received, in bytes per second. */
  NETWORK_RECEIVED("network_rx_bytes_per_second", false, 1e8),
  /** Mean rate sent, in bytes per second. */
  NETWORK_SENT("network_tx_bytes_per_second", false, 1e8),
  /** Time from the start until the GPU is first busy, in seconds. */
  PRE("pre_seconds", false, 0),
  /** Time from when the GPU is last busy until the end, in seconds. */
  POST("post_seconds", false, 0),
  /** Time from start to end, in seconds. */
  TOTAL("total_seconds", false, Double.POSITIVE_INFINITY);

  private final String column;
  private final boolean fraction;
  private final double byDefault;

  ResourceTarget(String column, boolean fraction, double byDefault) {
    this.column = column;
    this.fraction = fraction;
    this.byDefault = byDefault;
  }

  /** Returns the target whose column is called {@code column}. */
  public static Optional<ResourceTarget> ofColumn(String column) {
    return Arrays.stream(values()).filter(target -> target.column.equals(column)).findFirst();
  }

  /** Returns the name of the column in data files, such as {@code gpu_memory_bytes}. */
  public String column() {
    return column;
  }

  /** Returns true if values are from 0 to 1. */
  public boolean isFraction() {
    return fraction;
  }

  /** Returns the answer when nothing is known. */
  public double byDefault() {
    return byDefault;
  }

  /** Returns true if {@code value} can be a measurement: finite, not negative, a fraction if so. */
  public boolean accepts(double value) {
    return value >= 0 && Double.isFinite(value) && (!fraction || value <= 1);
  }

  /** Returns {@code value} on the scale that is learned on. */
  public double toScale(double value) {
    return fraction ? value : Math.log1p(value);
  }

  /**
   * Returns the value that is {@code scaled} on the scale that is learned on, brought into range.
   */
  public double fromScale(double scaled) {
    return fraction ? Math.clamp(scaled, 0, 1) : Math.max(0, Math.expm1(scaled));
  }
}
