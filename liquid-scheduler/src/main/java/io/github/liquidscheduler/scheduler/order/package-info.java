/**
 * The orders in which jobs are served and give way. {@link
 * io.github.liquidscheduler.scheduler.order.TurnOrder} orders waiting jobs; {@link
 * io.github.liquidscheduler.scheduler.order.MutualTaking} says which running jobs may be stopped
 * for them, {@link io.github.liquidscheduler.scheduler.order.VictimOrder} in which order, and
 * {@link io.github.liquidscheduler.scheduler.order.ClaimPrecedence} which claims on future capacity
 * stand. Pure functions over small views of jobs and queues; internal to the module.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.order;

import org.jspecify.annotations.NullMarked;
