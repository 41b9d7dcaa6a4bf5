/**
 * The event-driven scheduler: {@link io.github.liquidscheduler.placement.LiquidScheduler} takes
 * events in and gives decisions out, in the order of a {@link
 * io.github.liquidscheduler.placement.QueuePolicy}. Embedders with rules of their own write such a
 * policy over {@link io.github.liquidscheduler.placement.JobView}s.
 */
@NullMarked
package io.github.liquidscheduler.placement;

import org.jspecify.annotations.NullMarked;
