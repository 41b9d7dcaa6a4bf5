package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.TaskEstimate;

/**
 * What a task was measured to use beside what had been estimated.
 *
 * @param sample the measurement
 * @param estimate the estimate, made without it
 */
public record Outcome(ResourceSample sample, TaskEstimate estimate) {}
