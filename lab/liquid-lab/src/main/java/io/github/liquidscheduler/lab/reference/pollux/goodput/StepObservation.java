package io.github.liquidscheduler.lab.reference.pollux.goodput;

import io.github.liquidscheduler.lab.reference.pollux.application.StepTime;

/**
 * A configuration in which a job ran, and the time of its steps.
 *
 * @param nodes the nodes it ran on
 * @param gpus the GPUs it ran on
 * @param localBatch the batch size of each GPU
 * @param time the time of a step without accumulation
 */
record StepObservation(int nodes, int gpus, int localBatch, StepTime time) {

  boolean isSameConfiguration(StepObservation other) {
    return nodes == other.nodes && gpus == other.gpus && localBatch == other.localBatch;
  }
}
