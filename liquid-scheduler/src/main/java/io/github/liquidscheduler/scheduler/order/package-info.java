/**
 * The order of turns of waiting jobs. The entry is {@link
 * io.github.liquidscheduler.scheduler.order.TurnOrder}. Pure functions over small views of jobs and
 * queues; internal to the module.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.order;

import org.jspecify.annotations.NullMarked;
