package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;

/** The mode in which the GPUs of a model are shared, and its view for predictors. */
public sealed interface SharingMode {

  /** The largest number of jobs on one GPU in any mode. */
  int MOST_RESIDENTS = 8;

  /** Returns the largest number of jobs on one GPU. */
  int maxResidents();

  /** Returns the name by which predictors know a GPU shared in this mode. */
  default GpuModel predictedAs(GpuModel gpu) {
    return gpu;
  }

  /** Returns the profile that predictors see of a job with a share of a GPU. */
  default ColocationProfile seen(ColocationProfile alone, GpuShare share) {
    return alone;
  }

  /** Returns the share that a job is granted: large enough to keep the number of jobs. */
  default GpuShare granted(GpuShare asked) {
    GpuShare even = GpuShare.ofThousandths(1000 / maxResidents());
    return asked.isWhole() || asked.compareTo(even) < 0 ? even : asked;
  }

  /**
   * The driver gives the whole GPU to one job after the other. Shares are only counted.
   *
   * @param maxResidents the largest number of jobs on one GPU, from 1 to {@value #MOST_RESIDENTS}
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
   * Predictors see the model's name followed by {@code " MPS"}, since measurements of time slicing
   * do not hold, and of no job more utilisation than its share.
   *
   * @param maxResidents the largest number of jobs on one GPU, from 1 to {@value #MOST_RESIDENTS}
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
   * own: no job slows another, and no slice is shared.
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
