/**
 * How something is divided: {@link io.github.liquidscheduler.scheduler.share.FairDivision} divides
 * what there is of a resource among siblings. Pure functions.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.share;

import org.jspecify.annotations.NullMarked;
