/**
 * Jobs whose sizes a scheduler changes while they run, as a simulation carries that out: how fast
 * they are at each size, and for how long they stand still. {@link
 * io.github.liquidscheduler.simulator.elastic.ResizeConditions} is the entry.
 */
@NullMarked
package io.github.liquidscheduler.simulator.elastic;

import org.jspecify.annotations.NullMarked;
