/**
 * Resource requests of jobs that leave them out. The entry is {@link
 * io.github.liquidscheduler.estimator.request.RequestEstimator}.
 */
@NullMarked
package io.github.liquidscheduler.estimator.request;

import org.jspecify.annotations.NullMarked;
