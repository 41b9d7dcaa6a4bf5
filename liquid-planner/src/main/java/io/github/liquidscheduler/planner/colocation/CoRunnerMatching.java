package io.github.liquidscheduler.planner.colocation;

import io.github.liquidscheduler.job.JobId;
import java.util.List;

/**
 * The jobs of a queue that are to share a GPU.
 *
 * @param pairs the pairs, each in the order of the queue, in the order of their first jobs
 * @param alone the jobs that are to have a GPU for themselves, in the order of the queue
 */
public record CoRunnerMatching(List<Pair> pairs, List<JobId> alone) {

  /** Copies the lists. */
  public CoRunnerMatching {
    pairs = List.copyOf(pairs);
    alone = List.copyOf(alone);
  }

  /**
   * Returns the predicted gain over one job on each GPU, in GPUs' work: the sum over the pairs of
   * both speeds less one.
   */
  public double gain() {
    return pairs.stream().mapToDouble(Pair::gain).sum();
  }

  /**
   * Two jobs on one GPU.
   *
   * @param one the first job
   * @param other the second job
   * @param speedOfOne the part of its speed alone that the first is predicted to keep
   * @param speedOfOther the part that the second is predicted to keep
   */
  public record Pair(JobId one, JobId other, double speedOfOne, double speedOfOther) {

    /** Returns the gain of the two over one after the other. */
    public double gain() {
      return speedOfOne + speedOfOther - 1;
    }
  }
}
