package io.github.liquidscheduler.explanation;

/**
 * What can keep a job from running. The names are stable codes; {@link #unit()} says what the
 * numbers of an {@link UnmetConstraint} count.
 */
public enum Constraint {
  /** No GPU of an allowed model is in the cluster. */
  GPU_MODEL("GPUs"),
  /** No GPU of an allowed model has the device memory requested. */
  GPU_MEMORY("bytes"),
  /** No node carries the labels requested. */
  NODE_LABELS("nodes"),
  /** The cluster has no topology level of the required name. */
  TOPOLOGY_LEVEL("levels"),
  /** Fewer GPUs are free than requested. */
  GPUS("GPUs"),
  /** Enough GPUs are free, but not enough together on single nodes for each task. */
  GPUS_PER_NODE("GPUs"),
  /** Enough GPUs are free, but not in one domain of the required level. */
  TOPOLOGY("GPUs"),
  /** Nodes with free GPUs lack CPU. */
  CPU("millicores"),
  /** Nodes with free GPUs lack host memory. */
  MEMORY("bytes"),
  /** Each resource is there, but no set of nodes has all of them for all tasks at once. */
  COMBINATION("tasks"),
  /** The job fits, but the policy has others before it. */
  QUEUE_ORDER("jobs"),
  /** The job is in a batch window that is still open, or whose plan has not come yet. */
  BATCH_WINDOW("jobs"),
  /** The job has failed, or is being stopped, and is not tried again before a time has passed. */
  BACK_OFF("seconds");

  private final String unit;

  Constraint(String unit) {
    this.unit = unit;
  }

  /** Returns what requested and available amounts count. */
  public String unit() {
    return unit;
  }
}
