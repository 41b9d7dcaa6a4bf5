/**
 * The needs of a task, before it runs: {@link
 * io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator} asks an analytic prior, a
 * trained model and what was measured since, and says how sure it is.
 */
@NullMarked
package io.github.liquidscheduler.estimator.resource;

import org.jspecify.annotations.NullMarked;
