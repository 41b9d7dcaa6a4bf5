package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduler.speed.GpuEquivalents;
import io.github.liquidscheduler.scheduler.speed.Pace;
import io.github.liquidscheduler.scheduling.SnapshotSection;

/**
 * The speed of a job on its GPUs, and what it counts as without any.
 *
 * @param gpu relative to the fastest GPUs predicted, above 0
 * @param fleet relative to its mean over all GPUs that it may use, above 0
 * @param withoutGpus the GPU equivalents of a job that runs without GPUs
 */
public record RunSpeed(double gpu, double fleet, GpuEquivalents withoutGpus) {

  /** The speed of waiting jobs, and of all where GPU models do not differ. */
  public static final RunSpeed FULL = new RunSpeed(1, 1, GpuEquivalents.NONE);

  /** Returns the pace of a job at its present size; that of the preferred size while waiting. */
  Pace pace(JobEntry job) {
    Parallelism sizes = job.job().parallelism();
    if (!job.isRunning() || (gpu == 1 && fleet == 1 && !sizes.isElastic())) {
      return Pace.PREFERRED;
    }
    return sizes.isElastic()
        ? new Pace(job.size(), sizes.preferred(), gpu, fleet)
        : new Pace(1, 1, gpu, fleet);
  }

  /** Saves what differs from {@link #FULL}. */
  void save(SnapshotSection.Builder section) {
    if (gpu != 1) {
      section.put("gpuSpeed", gpu);
    }
    if (fleet != 1) {
      section.put("fleetSpeed", fleet);
    }
    if (withoutGpus.thousandths() > 0) {
      section.put("gpuEquivalents", withoutGpus.thousandths());
    }
  }

  /** Loads a saved speed. */
  static RunSpeed load(SnapshotSection.Reader in) {
    return new RunSpeed(
        speed("gpuSpeed", in),
        speed("fleetSpeed", in),
        in.optional("gpuEquivalents", Long.class)
            .map(any -> new GpuEquivalents(in.count("gpuEquivalents")))
            .orElse(GpuEquivalents.NONE));
  }

  private static double speed(String name, SnapshotSection.Reader in) {
    double speed = in.optional(name, Double.class).orElse(1.0);
    if (!(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the speed of a running job must be positive and finite, but was " + speed);
    }
    return speed;
  }
}
