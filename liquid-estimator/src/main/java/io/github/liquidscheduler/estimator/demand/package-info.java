/**
 * Where estimates meet the scheduler: {@link
 * io.github.liquidscheduler.estimator.demand.DemandFiller} fills in what jobs leave open before
 * they are submitted.
 */
@NullMarked
package io.github.liquidscheduler.estimator.demand;

import org.jspecify.annotations.NullMarked;
