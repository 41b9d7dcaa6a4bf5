package io.github.liquidscheduler.simulator.truth;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The ground truth of a simulation: the work of each job, and its speed on each placement. Hidden
 * from the scheduler. Implementations are pure functions.
 */
public interface GroundTruth {

  /**
   * Returns the work of the job, as its run time at rate 1.
   *
   * @throws IllegalArgumentException if neither the trace nor this model tells
   */
  Duration work(TraceJob job);

  /** Returns true if every job of which a duration is recorded can be simulated. */
  default boolean takesAllWithDurations() {
    return false;
  }

  /** Returns the rate on this placement, relative to {@link #work}. Positive and finite. */
  double rate(TraceJob job, Placement placement, ClusterTopology topology);

  /**
   * Returns the retained speed of a job on a GPU beside co-runners, in (0, 1.05]. By default jobs
   * do not slow each other down.
   *
   * @param others the co-runners on the GPU, at least one
   */
  default double retained(TraceJob job, List<TraceJob> others, GpuModel gpu) {
    return 1;
  }

  /**
   * Returns true if the jobs fit into the memory of a GPU together. By default they do. If not, the
   * last to arrive runs out of memory.
   *
   * @param jobs at least two, in any order
   */
  default boolean fit(List<TraceJob> jobs, GpuModel gpu) {
    return true;
  }

  /**
   * Returns the GPU models of {@code topology} on which the job can run at all, the fastest first,
   * or empty if it can on every one of them. By default it can.
   */
  default Optional<List<GpuModel>> usableModels(TraceJob job, ClusterTopology topology) {
    return Optional.empty();
  }

  /**
   * Returns the speed a trace recorded: a job runs for its recorded duration, on whatever GPUs,
   * when it has as many as it asked for, and proportionally longer when it has fewer.
   */
  static GroundTruth asRecorded() {
    return new RecordedSpeed();
  }
}
