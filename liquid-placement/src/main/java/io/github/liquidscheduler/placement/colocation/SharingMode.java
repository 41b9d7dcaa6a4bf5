package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;

/** How the GPUs of a model are shared, and what a predictor is told of it. */
public sealed interface SharingMode {

  /** The most jobs on one GPU that any mode allows. */
  int MOST_RESIDENTS = 8;

  /** Returns how many jobs one GPU may hold. */
  int maxResidents();

  /** Returns the name by which predictors know a GPU that is shared in this way. */
  default GpuModel predictedAs(GpuModel gpu) {
    return gpu;
  }

  /** Returns what a predictor is told of a job that holds a share of a GPU. */
  default ColocationProfile seen(ColocationProfile alone, GpuShare share) {
    return alone;
  }

  /** Returns the share that a job is granted: enough that no more than allowed can come. */
  default GpuShare granted(GpuShare asked) {
    GpuShare even = GpuShare.ofThousandths(1000 / maxResidents());
    return asked.isWhole() || asked.compareTo(even) < 0 ? even : asked;
  }

  /**
   * The driver gives the whole GPU to one job after the other. Shares are only counted.
   *
   * @param maxResidents how many jobs one GPU may hold, from 1 to {@value #MOST_RESIDENTS}
   */
  record TimeSlicing(int maxResidents) implements SharingMode {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public TimeSlicing {
      requireResidents(maxResidents);
    }
  }

  /**
   * Kernels of several jobs run at once (CUDA MPS), each job limited to its share of the threads.
   * Predictors are asked for the model's name followed by {@code " MPS"}, since what was measured
   * by time slicing does not hold, and of no job for more utilisation than its share.
   *
   * @param maxResidents how many jobs one GPU may hold, from 1 to {@value #MOST_RESIDENTS}
   */
  record Mps(int maxResidents) implements SharingMode {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Mps {
      requireResidents(maxResidents);
    }

    @Override
    public GpuModel predictedAs(GpuModel gpu) {
      return GpuModel.of(gpu + " MPS");
    }

    @Override
    public ColocationProfile seen(ColocationProfile alone, GpuShare share) {
      double limit = share.thousandths() / 1000.0;
      return new ColocationProfile(
          alone.workload(),
          alone.isolatedRate(),
          Math.min(alone.utilization(), limit),
          alone.memoryBandwidthUtilization(),
          alone.memoryBytes());
    }
  }

  /**
   * Each "GPU" of the model is a slice of a partitioned GPU (MIG), with compute and memory of its
   * own: nobody slows anybody down, and nobody shares a slice.
   *
   * @param compute the part of the whole GPU's compute that a slice has
   */
  record MigSlice(GpuShare compute) implements SharingMode {
    @Override
    public int maxResidents() {
      return 1;
    }

    @Override
    public GpuShare granted(GpuShare asked) {
      return GpuShare.WHOLE;
    }
  }

  private static void requireResidents(int maxResidents) {
    if (maxResidents < 1 || maxResidents > MOST_RESIDENTS) {
      throw new IllegalArgumentException(
          "a GPU's residents must be from 1 to " + MOST_RESIDENTS + ", but were " + maxResidents);
    }
  }
}
