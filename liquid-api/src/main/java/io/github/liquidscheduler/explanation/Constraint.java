package io.github.liquidscheduler.explanation;

/**
 * The constraints that can keep a job from running. Less is always available than requested. The
 * names are stable codes; {@link #unit()} says what the numbers of an {@link UnmetConstraint}
 * count.
 */
public enum Constraint {
  /**
   * The job asks for more than its queues may ever hold, so that it never starts unless it or the
   * quotas change. What is requested is 1, what is available 0; {@link Counterfactual.WithinQuotas}
   * has the amounts.
   */
  QUOTAS_FORBID("jobs"),
  /** No GPU of an allowed model is in the cluster. */
  GPU_MODEL("GPUs"),
  /** No GPU of an allowed model has the device memory requested, or none that is free. */
  GPU_MEMORY("bytes"),
  /** No node carries the labels requested, or those that do have no free capacity. */
  NODE_LABELS("nodes"),
  /** The cluster has no topology level of the required name. */
  TOPOLOGY_LEVEL("levels"),
  /** Fewer GPUs are free than requested. */
  GPUS("GPUs"),
  /** Enough GPUs are free, but not enough together on single nodes for each task. */
  GPUS_PER_NODE("GPUs"),
  /** Enough GPUs are free, but not where the tasks have to be together, or apart. */
  TOPOLOGY("GPUs"),
  /** Nodes with free GPUs lack CPU for the tasks that would go there. */
  CPU("millicores"),
  /** Nodes with free GPUs lack host memory for the tasks that would go there. */
  MEMORY("bytes"),
  /**
   * More is held of a node than it has, since a job was adopted there, so that it takes nothing.
   * What is requested is how many of its GPUs are held twice, or 1 if none is, what is available 0.
   */
  OVER_FULL("GPUs"),
  /** A job that was not started here, and stays, holds GPUs. What is available is 0. */
  NOT_STARTED_HERE("GPUs"),
  /**
   * Each resource is there, but no placement of all tasks at once was found. What is available is
   * how many of the tasks, in the order of the roles, were placed together.
   */
  COMBINATION("tasks"),
  /**
   * A job may share GPUs, but beside those who are there somebody is predicted to keep less of its
   * speed than it was promised, or than the policy asks.
   */
  RETAINED_SPEED("thousandths"),
  /** Jobs ahead must start first. What is requested is how many of them, what is available 0. */
  QUEUE_ORDER("jobs"),
  /**
   * The job would be in the way of one for which a place is reserved, or still run when an advance
   * reservation begins, such as maintenance. What is requested is 1, what is available 0.
   */
  RESERVATION("jobs"),
  /** The job is in a batch window that is still open, or whose plan has not come yet. */
  BATCH_WINDOW("jobs"),
  /** The queue of the job, or one that it is a part of, may hold no more GPUs. */
  QUEUE_GPUS("GPUs"),
  /** The queue of the job, or one that it is a part of, may hold no more CPU. */
  QUEUE_CPU("millicores"),
  /** The queue of the job, or one that it is a part of, may hold no more host memory. */
  QUEUE_MEMORY("bytes"),
  /**
   * The job is held until it is released. What is requested is 1, what is available 0, and the
   * scope is the reason that was given.
   */
  HELD("jobs"),
  /**
   * The job has failed, or is being stopped, and is not tried again before a time has passed. What
   * is requested is {@link Long#MAX_VALUE} if only an update ends that.
   */
  BACK_OFF("seconds"),
  /**
   * The job is held until the share is free with which it ends as promised, or earlier if that is
   * free earlier. What is requested is how long from when it came to wait.
   */
  PROMISED_START("seconds");

  private final String unit;

  Constraint(String unit) {
    this.unit = unit;
  }

  /** Returns the unit of requested and available amounts. */
  public String unit() {
    return unit;
  }
}
