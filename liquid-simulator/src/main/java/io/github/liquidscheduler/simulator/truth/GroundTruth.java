package io.github.liquidscheduler.simulator.truth;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The ground truth of a simulation: how much there is to do and how fast it gets done where. The
 * scheduler does not see it. Implementations are pure functions.
 */
public interface GroundTruth {

  /**
   * Returns for how long the job has to run at rate 1.
   *
   * @throws IllegalArgumentException if the trace does not tell, and neither does this model
   */
  Duration work(TraceJob job);

  /**
   * Returns how fast the job gets its work done on this placement; 1 is as fast as {@link #work}
   * counts. Positive and finite.
   */
  double rate(TraceJob job, Placement placement, ClusterTopology topology);

  /**
   * Returns the part of its speed alone that a job retains on a GPU beside others, in (0, 1.05]. By
   * default jobs do not disturb each other: what each was granted of the GPU is its own.
   *
   * @param others who else is on the GPU, at least one
   */
  default double retained(TraceJob job, List<TraceJob> others, GpuModel gpu) {
    return 1;
  }

  /**
   * Returns whether the jobs fit on a GPU together, by what they really hold of its memory. By
   * default they do. Where they do not, the last to come runs out of memory.
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
