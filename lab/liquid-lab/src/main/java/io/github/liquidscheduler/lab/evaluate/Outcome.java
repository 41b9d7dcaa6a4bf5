package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.TaskEstimate;

/** The measured usage of a task beside its estimate, which was made without it. */
public record Outcome(ResourceSample sample, TaskEstimate estimate) {}
