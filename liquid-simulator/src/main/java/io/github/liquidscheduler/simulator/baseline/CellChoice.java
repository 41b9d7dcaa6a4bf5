package io.github.liquidscheduler.simulator.baseline;

import io.github.liquidscheduler.cluster.NodeRange;

/** Which GPUs of a node a task gets, as a block. */
@FunctionalInterface
public interface CellChoice {

  /** Returns the block of free GPUs of which the task takes the first; empty if there is none. */
  NodeRange cell(NodeScore.Candidate candidate);
}
