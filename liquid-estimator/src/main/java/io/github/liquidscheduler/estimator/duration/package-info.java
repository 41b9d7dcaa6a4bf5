/**
 * How long jobs run, and how long they still will: {@link
 * io.github.liquidscheduler.estimator.duration.DurationEstimator}.
 */
@NullMarked
package io.github.liquidscheduler.estimator.duration;

import org.jspecify.annotations.NullMarked;
