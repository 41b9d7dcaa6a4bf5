/**
 * The orders in which jobs are served and give way. {@link
 * io.github.liquidscheduler.scheduler.order.TurnOrder} orders waiting jobs, {@link
 * io.github.liquidscheduler.scheduler.order.VictimOrder} the running jobs that may be stopped for
 * them. Pure functions over small views of jobs and queues; internal to the module.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.order;

import org.jspecify.annotations.NullMarked;
