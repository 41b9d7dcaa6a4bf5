package io.github.liquidscheduler.elastic;

/** An answer of an elastic job to the cluster scheduler. */
public sealed interface ScalingAnswer {

  /**
   * The request is under way, alone or merged with others that are.
   *
   * @param id the request
   */
  record Accepted(String id) implements ScalingAnswer {}

  /**
   * Ask again later: a switch is decided, or the request contradicts one that is under way.
   *
   * @param id the request
   */
  record Retry(String id) implements ScalingAnswer {}

  /**
   * The request cannot be met.
   *
   * @param id the request
   * @param reason one sentence
   */
  record Rejected(String id, String reason) implements ScalingAnswer {}

  /**
   * The job now trains with the workers that were asked for.
   *
   * @param id the request
   * @param topologyEpoch the number of the topology
   * @param step the first mini-batch of it
   */
  record Switched(String id, long topologyEpoch, long step) implements ScalingAnswer {}

  /**
   * A new worker was not ready in time and is no longer waited for; the job trains as before.
   *
   * @param id the request
   * @param worker who was late
   */
  record TimedOut(String id, WorkerId worker) implements ScalingAnswer {}

  /**
   * The request was withdrawn before its switch.
   *
   * @param id the request
   */
  record Cancelled(String id) implements ScalingAnswer {}

  /**
   * A worker is slower than the others for good. Answer with {@link ScalingRequest.Migrate} or
   * {@link ScalingRequest.NoReplacement}.
   *
   * @param worker the straggler
   * @param slowdown its compute time over the median, above 1
   * @param dropPays whether the others alone would be faster
   */
  record StragglerFound(WorkerId worker, double slowdown, boolean dropPays)
      implements ScalingAnswer {}

  /**
   * A worker was lost and the others go on without it.
   *
   * @param worker who was lost
   */
  record Evicted(WorkerId worker) implements ScalingAnswer {}

  /**
   * No worker is left that holds the model: the job has to be started from a checkpoint.
   *
   * @param step the mini-batch that could not be trained
   */
  record ModelLost(long step) implements ScalingAnswer {}

  /**
   * Every epoch is done.
   *
   * @param steps how many mini-batches were trained
   */
  record Finished(long steps) implements ScalingAnswer {}
}
