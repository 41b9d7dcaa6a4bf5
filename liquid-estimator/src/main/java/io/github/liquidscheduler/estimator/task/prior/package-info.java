/**
 * Facts about tasks without learning: the shipped tables of model families, data sets and GPU
 * models, and what follows from them ({@link
 * io.github.liquidscheduler.estimator.task.prior.TaskFacts}).
 */
@NullMarked
package io.github.liquidscheduler.estimator.task.prior;

import org.jspecify.annotations.NullMarked;
