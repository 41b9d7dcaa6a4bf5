/**
 * What is due to queues, and what they hold of it: {@link
 * io.github.liquidscheduler.scheduler.share.FairDivision} divides what there is of a resource among
 * siblings, {@link io.github.liquidscheduler.scheduler.share.DominantShares} says how much of what
 * can be lent each queue has borrowed. Pure functions.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.share;

import org.jspecify.annotations.NullMarked;
