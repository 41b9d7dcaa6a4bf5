/**
 * The running times of jobs, and what is left of them: {@link
 * io.github.liquidscheduler.estimator.duration.DurationEstimator}.
 */
@NullMarked
package io.github.liquidscheduler.estimator.duration;

import org.jspecify.annotations.NullMarked;
