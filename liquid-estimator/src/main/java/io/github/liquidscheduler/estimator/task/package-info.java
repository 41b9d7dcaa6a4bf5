/**
 * Tasks as far as their needs depend on them ({@link
 * io.github.liquidscheduler.estimator.task.TaskProfile}), what they were measured to use ({@link
 * io.github.liquidscheduler.estimator.task.ResourceSample}), and what they are expected to ({@link
 * io.github.liquidscheduler.estimator.task.TaskEstimate}).
 */
@NullMarked
package io.github.liquidscheduler.estimator.task;

import org.jspecify.annotations.NullMarked;
